import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NewDelivery, NoticeStore } from "../../src/ports/notices.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { createSqliteNoticeStore } from "../../src/sqlite/sqlite-notice-store.ts";

let database: Database;
let store: NoticeStore;
beforeEach(() => {
  database = openDatabase(":memory:");
  store = createSqliteNoticeStore(database);
});
afterEach(() => database.close());

function delivery(key: string, said: Partial<NewDelivery> = {}): NewDelivery {
  return { key, receiver: "hook", subject: key, nextAt: 0, group: "g", value: key, ...said };
}

async function due(now: number, receiver = "hook"): Promise<readonly string[]> {
  return (await store.due(receiver, { now, limit: 10 })).map(({ key }) => key);
}

describe("the notice about a subject", () => {
  it("is the last one that was written", async () => {
    expect(await store.read("a")).toBeUndefined();
    const record = { version: 1, condition: "c", open: { failures: { version: 1, matched: "m" } } };
    await store.write("a", record);
    await store.write("a", { ...record, version: 2 });
    expect(await store.read("a")).toEqual({ ...record, version: 2 });
  });

  it("is not stored if its transaction fails, and neither are its deliveries", async () => {
    const failing = database.inTransaction(async () => {
      await store.write("a", { version: 1, condition: "c", open: {} });
      await store.add([delivery("k")], 0);
      throw new Error("the Job was not written");
    });
    await expect(failing).rejects.toThrow("the Job was not written");
    expect(await store.read("a")).toBeUndefined();
    expect(await due(1)).toEqual([]);
  });
});

describe("deliveries", () => {
  it("are due in order, the oldest of each subject only, and those of the receiver", async () => {
    await store.add([delivery("a1", { subject: "a" }), delivery("a2", { subject: "a" }), delivery("b1")], 0);
    await store.add([delivery("x", { receiver: "other" })], 0);
    expect(await due(0)).toEqual(["a1", "b1"]);
    expect(await due(0, "other")).toEqual(["x"]);
    await store.settle(["a1"], { outcome: "delivered" }, 5);
    expect(await due(0)).toEqual(["a2", "b1"]);
  });

  it("are added once, also after they were delivered", async () => {
    await store.add([delivery("a"), delivery("a", { value: "other" })], 0);
    await store.settle(["a"], { outcome: "delivered" }, 1);
    await store.add([delivery("a")], 2);
    expect(await due(9)).toEqual([]);
  });

  it("are not due before their time, unless the clock was set back", async () => {
    await store.add([delivery("a", { nextAt: 100_000 })], 90_000);
    expect(await due(99_999)).toEqual([]);
    expect(await due(100_000)).toEqual(["a"]);
    expect(await due(30_000)).toEqual([]);
    expect(await due(29_999)).toEqual(["a"]);
  });

  it("that failed wait with the others of their subject", async () => {
    await store.add([delivery("a1", { subject: "a" }), delivery("a2", { subject: "a" })], 0);
    await store.settle(["a1"], { outcome: "failed", problem: "status 500", nextAt: 50 }, 1);
    expect(await due(49)).toEqual([]);
    expect(await store.due("hook", { now: 50, limit: 1 })).toMatchObject([{ key: "a1", attempts: 1, firstTriedAt: 1 }]);
    await store.settle(["a1"], { outcome: "dead", problem: "status 400" }, 60);
    expect(await due(60)).toEqual(["a2"]);
  });

  it("can be changed or removed while they are held, and not after an attempt", async () => {
    await store.add([delivery("a", { nextAt: 100 })], 0);
    expect(await store.replaceHeld("a", "new", 99)).toBe(true);
    expect((await store.due("hook", { now: 100, limit: 1 }))[0]?.value).toBe("new");
    expect(await store.replaceHeld("a", "late", 100)).toBe(false);
    expect(await store.cancelHeld("a", 100)).toBe(false);
    expect(await store.cancelHeld("a", 99)).toBe(true);
    expect(await due(100)).toEqual([]);
    await store.add([delivery("b", { nextAt: 100 })], 0);
    await store.settle(["b"], { outcome: "failed", problem: "p", nextAt: 500 }, 100);
    expect(await store.cancelHeld("b", 101)).toBe(false);
  });

  it("of one batch stay together", async () => {
    await store.add([delivery("a"), delivery("b"), delivery("c")], 0);
    await store.setBatch(["a", "c"], "batch-1");
    expect((await store.batch("hook", "batch-1")).map(({ key, batch }) => [key, batch])).toEqual([
      ["a", "batch-1"],
      ["c", "batch-1"],
    ]);
    await store.settle(["a", "c"], { outcome: "delivered" }, 7);
    expect(await store.batch("hook", "batch-1")).toEqual([]);
    expect(await store.deliveredSince("hook", 6)).toEqual({ messages: 1, firstAt: 7 });
    expect(await store.deliveredSince("hook", 7)).toEqual({ messages: 0 });
  });

  it("are counted by receiver, with the last problem, and the dead ones are listed", async () => {
    await store.add([delivery("a"), delivery("b"), delivery("c"), delivery("d", { receiver: "other" })], 0);
    await store.suppress(delivery("e"), 0);
    await store.settle(["a"], { outcome: "delivered" }, 10);
    await store.settle(["b"], { outcome: "dead", problem: "status 400" }, 11);
    await store.settle(["c"], { outcome: "failed", problem: "status 500", nextAt: 99 }, 12);
    expect(await store.status()).toEqual([
      {
        receiver: "hook",
        waiting: 1,
        delivered: 1,
        dead: 1,
        suppressed: 1,
        lastDeliveredAt: 10,
        failingSince: 12,
        lastProblem: "status 500",
      },
      { receiver: "other", waiting: 1, delivered: 0, dead: 0, suppressed: 0 },
    ]);
    expect(await store.dead(10)).toEqual([{ key: "b", receiver: "hook", at: 11, problem: "status 400" }]);
  });
});
