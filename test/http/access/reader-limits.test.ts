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

  it("refuses a reader that sends too many small ones, until it has its share again, and not another", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ timeShare: 0.5, now: () => clock.now });
    let answered = 0;
    while ((await run(limits, "a", answer)) !== undefined) answered += 1;
    expect(answered).toBe(200);
    expect(await run(limits, "b", answer)).toBe("answer");
    clock.now = 1_000;
    for (answered = 0; (await run(limits, "a", answer)) !== undefined;) answered += 1;
    expect(answered).toBe(20);
  });

  it.each([
    ["a tenth of a second", 100, 10],
    ["a second", 1_000, 10],
    ["ten seconds", 10_000, 10],
  ])("leaves half of the time to others if each answer takes %s", async (_, millis, minutes) => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ timeShare: 0.5, now: () => clock.now });
    let built = 0;
    while (clock.now < minutes * 60_000) {
      const entrance = limits.enter("a");
      if (entrance.outcome === "refused") {
        clock.now += 1_000 * entrance.retryAfterSeconds;
        continue;
      }
      await entrance.place.keepFor(entrance.place.build(async () => void (clock.now += millis)));
      built += millis;
    }
    expect(built / clock.now).toBeLessThan(0.52);
    expect(built / clock.now).toBeGreaterThan(0.35);
  });

  it("does not count the time in which an answer waits for a change", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ timeShare: 0.5, now: () => clock.now });
    for (let request = 0; request < 10; request += 1) {
      const { outcome, ...entered } = limits.enter("a");
      expect(outcome).toBe("admitted");
      if (!("place" in entered)) continue;
      const { place } = entered;
      await place.keepFor(place.build(() => place.aside(async () => void (clock.now += 25_000))));
    }
  });

  it("lets a reader retry after 11 seconds at most, however long an answer took", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ timeShare: 0.5, now: () => clock.now });
    const entrance = limits.enter("a");
    if (entrance.outcome === "refused") return expect.fail("refused");
    await entrance.place.keepFor(entrance.place.build(async () => void (clock.now += 600_000)));
    expect(limits.enter("a")).toMatchObject({ outcome: "refused", retryAfterSeconds: 11 });
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

  it("does not count those that it refuses as in progress", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ most: 1, timeShare: 0.5, now: () => clock.now });
    for (let request = 0; request < 250; request += 1) await run(limits, "a", answer);
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
