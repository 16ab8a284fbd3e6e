import { describe, expect, it } from "vitest";
import { ReaderLimits } from "../../../src/http/access/reader-limits.ts";

const answer = async (): Promise<string> => "answer";

/** Runs `work`, which is the whole answer; `undefined` if the reader has no place for it. */
function run<Result>(limits: ReaderLimits, name: string, work: () => Promise<Result>): Promise<Result | undefined> {
  const entrance = limits.enter(name);
  return entrance.outcome === "admitted" ? entrance.place.keepFor(work()) : Promise.resolve(undefined);
}

describe("the limit of requests per reader", () => {
  it("refuses one reader and not another", async () => {
    const limits = new ReaderLimits({ most: 2 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = [run(limits, "a", () => promise), run(limits, "a", () => promise)];
    expect(await run(limits, "a", async () => "third")).toBeUndefined();
    expect(await run(limits, "b", async () => "first")).toBe("first");
    resolve("done");
    expect(await Promise.all(running)).toEqual(["done", "done"]);
    expect(await run(limits, "a", async () => "again")).toBe("again");
  });

  it("refuses a reader that sends too many per second, until a second has passed, and not another", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ perSecond: 1, now: () => clock.now });
    expect([await run(limits, "a", answer), await run(limits, "a", answer)]).toEqual(["answer", "answer"]);
    expect(await run(limits, "a", answer)).toBeUndefined();
    expect(await run(limits, "b", answer)).toBe("answer");
    clock.now = 1_000;
    expect(await run(limits, "a", answer)).toBe("answer");
  });

  it("counts a request that fails as ended", async () => {
    const limits = new ReaderLimits({ most: 1 });
    await expect(run(limits, "a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await run(limits, "a", async () => "again")).toBe("again");
  });

  it("is 500 requests in progress unless it is told otherwise", async () => {
    const limits = new ReaderLimits();
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = Array.from({ length: 500 }, () => run(limits, "a", () => promise));
    expect(await run(limits, "a", async () => "501st")).toBeUndefined();
    resolve("done");
    await Promise.all(running);
  });

  it("admits as many requests as have ended, while others are in progress", async () => {
    const limits = new ReaderLimits({ most: 2 });
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const running = [run(limits, "a", () => first.promise), run(limits, "a", () => second.promise)];
    first.resolve("done");
    await running[0];
    const third = run(limits, "a", () => second.promise);
    expect(await run(limits, "a", async () => "fourth")).toBeUndefined();
    second.resolve("done");
    expect(await third).toBe("done");
  });

  it("of requests per second does not count those that it refuses as in progress", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ most: 1, perSecond: 1, now: () => clock.now });
    for (let request = 0; request < 5; request += 1) await run(limits, "a", answer);
    clock.now = 10_000;
    expect(await run(limits, "a", answer)).toBe("answer");
  });

  it("refuses a reader whose clients leave 32 MiB unread, and not another", () => {
    const limits = new ReaderLimits();
    const first = limits.enter("a");
    if (first.outcome === "admitted") first.place.setUnread(32 * 1024 * 1024);
    const refused = limits.enter("a");
    expect(refused.outcome === "refused" && refused.detail).toContain("unread");
    expect(limits.enter("b")).toMatchObject({ outcome: "admitted" });
    if (first.outcome === "admitted") first.place.setUnread(0);
    expect(limits.enter("a")).toMatchObject({ outcome: "admitted" });
  });
});
