import { describe, expect, it } from "vitest";
import { ReaderLimits } from "../../../src/http/access/reader-limits.ts";

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
    const answer = async () => "answer";
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
});
