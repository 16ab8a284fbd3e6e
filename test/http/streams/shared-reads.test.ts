import { describe, expect, it } from "vitest";
import { SharedReads } from "../../../src/http/streams/shared-reads.ts";

/** Reads that end when the test ends them. Results below 100 are kept until the test removes them. */
function openReads() {
  const waiting: { readonly resolve: (value: number) => void; readonly reject: (error: Error) => void }[] = [];
  const forgetting: (() => void)[] = [];
  const reads = new SharedReads<number>({
    mayKeep: (result) => result < 100,
    most: 2,
    later: (forget) => forgetting.push(forget),
  });
  const read = (): Promise<number> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  return { reads, waiting, forgetting, run: (name: string) => reads.run(name, read) };
}

/** A read of this name that ends with `result`. */
async function ended({ run, waiting }: ReturnType<typeof openReads>, name: string, result: number): Promise<number> {
  const running = run(name);
  waiting.at(-1)?.resolve(result);
  return (await running).result;
}

describe("a shared read", () => {
  it("happens once for all callers of the same name", async () => {
    const { run, waiting } = openReads();
    const both = [run("a"), run("a")];
    waiting[0]?.resolve(1);
    expect((await Promise.all(both)).map(({ result }) => result)).toEqual([1, 1]);
    expect(waiting).toHaveLength(1);
  });

  it("is not shared with callers of another name", () => {
    const { run, waiting } = openReads();
    void run("a");
    void run("b");
    expect(waiting).toHaveLength(2);
  });

  it("is shared with a later caller while its result is kept", async () => {
    const open = openReads();
    await ended(open, "a", 1);
    expect((await open.run("a")).result).toBe(1);
    open.forgetting[0]?.();
    expect(await ended(open, "a", 2)).toBe(2);
    expect(open.waiting).toHaveLength(2);
  });

  it("is repeated if its result may not be kept", async () => {
    const open = openReads();
    await ended(open, "a", 100);
    expect(await ended(open, "a", 101)).toBe(101);
    expect(open.forgetting).toEqual([]);
  });

  it("is repeated after it failed", async () => {
    const open = openReads();
    const failing = open.run("a");
    open.waiting[0]?.reject(new Error("no store"));
    await expect(failing).rejects.toThrow("no store");
    expect(await ended(open, "a", 1)).toBe(1);
  });

  it("displaces the oldest result if more than the limit would be kept", async () => {
    const open = openReads();
    for (const [name, result] of Object.entries({ a: 1, b: 2, c: 3 })) await ended(open, name, result);
    expect((await open.run("b")).result).toBe(2);
    expect((await open.run("c")).result).toBe(3);
    expect(await ended(open, "a", 4)).toBe(4);
  });

  it("tells callers whether it began before or after they came", async () => {
    const open = openReads();
    const early = open.reads.mark();
    const running = open.run("a");
    const late = open.reads.mark();
    open.waiting[0]?.resolve(1);
    const { begunAt } = await running;
    expect([begunAt > early, begunAt < late]).toEqual([true, true]);
  });
});
