import { describe, expect, it } from "vitest";
import { ReaderLimits } from "../../../src/http/access/reader-limits.ts";

const answer = async (): Promise<string> => "answer";

describe("the limit of requests per reader", () => {
  it("refuses one reader and not another", async () => {
    const limits = new ReaderLimits({ most: 2 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = [limits.run("a", () => promise), limits.run("a", () => promise)];
    expect(await limits.run("a", async () => "third")).toBeUndefined();
    expect(await limits.run("b", async () => "first")).toBe("first");
    resolve("done");
    expect(await Promise.all(running)).toEqual(["done", "done"]);
    expect(await limits.run("a", async () => "again")).toBe("again");
  });

  it("refuses a reader that sends too many per second, until a second has passed, and not another", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ perSecond: 1, now: () => clock.now });
    expect([await limits.run("a", answer), await limits.run("a", answer)]).toEqual(["answer", "answer"]);
    expect(await limits.run("a", answer)).toBeUndefined();
    expect(await limits.run("b", answer)).toBe("answer");
    clock.now = 1_000;
    expect(await limits.run("a", answer)).toBe("answer");
  });

  it("counts a request that fails as ended", async () => {
    const limits = new ReaderLimits({ most: 1 });
    await expect(limits.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await limits.run("a", async () => "again")).toBe("again");
  });

  it("is 500 requests in progress unless it is told otherwise", async () => {
    const limits = new ReaderLimits();
    const { promise, resolve } = Promise.withResolvers<string>();
    const running = Array.from({ length: 500 }, () => limits.run("a", () => promise));
    expect(await limits.run("a", async () => "501st")).toBeUndefined();
    resolve("done");
    await Promise.all(running);
  });

  it("admits as many requests as have ended, while others are in progress", async () => {
    const limits = new ReaderLimits({ most: 2 });
    const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    const running = [limits.run("a", () => first.promise), limits.run("a", () => second.promise)];
    first.resolve("done");
    await running[0];
    const third = limits.run("a", () => second.promise);
    expect(await limits.run("a", async () => "fourth")).toBeUndefined();
    second.resolve("done");
    expect(await third).toBe("done");
  });

  it("of requests per second does not count those that it refuses as in progress", async () => {
    const clock = { now: 0 };
    const limits = new ReaderLimits({ most: 1, perSecond: 1, now: () => clock.now });
    for (let request = 0; request < 5; request += 1) await limits.run("a", answer);
    clock.now = 10_000;
    expect(await limits.run("a", answer)).toBe("answer");
  });
});
