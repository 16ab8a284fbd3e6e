import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliverNext } from "../../src/notify/deliver.ts";
import type { Receiver } from "../../src/notify/rules/rules.ts";
import type { SendResult } from "../../src/ports/message-sender.ts";
import type { NewDelivery, NoticeStore } from "../../src/ports/notices.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { createSqliteNoticeStore } from "../../src/sqlite/sqlite-notice-store.ts";
import { notificationExample } from "../support/notify/notification-example.ts";
import { HOOK } from "../support/notify/notified-tracker.ts";

const DAY = 86_400_000;
const ACCEPTED: SendResult = { outcome: "accepted", status: 200 };
const DOWN: SendResult = { outcome: "unreachable", problem: "connection refused" };
const slack: Receiver = { ...HOOK, name: "slack", target: { kind: "slack", url: "https://slack.example/" } };

let database: Database;
let notices: NoticeStore;
let now = 0;
let bodies: string[] = [];
beforeEach(() => {
  database = openDatabase(":memory:");
  notices = createSqliteNoticeStore(database);
  now = 1_000;
  bodies = [];
});
afterEach(() => database.close());

function delivery(key: string, said: Partial<NewDelivery> = {}): NewDelivery {
  const value = JSON.stringify(notificationExample({ key }));
  return { key, receiver: "hook", subject: key, nextAt: 0, group: "g", value, ...said };
}

/** One pass with a receiver that answers so. */
function pass(answer: SendResult, receiver: Receiver = HOOK) {
  const send = async ({ body }: { readonly body: string }) => {
    bodies.push(body);
    return answer;
  };
  return deliverNext({ notices, send, now: () => now, backOff: (retry) => retry * 10 }, receiver);
}

describe("a delivery", () => {
  it("is sent once", async () => {
    await notices.add([delivery("a")], 0);
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
    expect(await pass(ACCEPTED)).toEqual({ outcome: "idle" });
    expect(bodies).toHaveLength(1);
  });

  it("is tried again with back-off, with the same identity and content", async () => {
    await notices.add([delivery("a")], 0);
    expect(await pass(DOWN)).toEqual({ outcome: "failing", problem: "connection refused", nextAt: 1_010 });
    expect(await pass(DOWN)).toEqual({ outcome: "idle" });
    now = 1_010;
    expect(await pass(DOWN)).toMatchObject({ outcome: "failing", nextAt: 1_030 });
    now = 1_030;
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
    expect(new Set(bodies).size).toBe(1);
  });

  it("waits as long as the receiver asks for", async () => {
    await notices.add([delivery("a")], 0);
    const busy: SendResult = { outcome: "rejected", status: 429, problem: "status 429", retryAfterMillis: 5_000 };
    expect(await pass(busy)).toMatchObject({ nextAt: 6_000 });
  });

  it("does not wait for one about another Job that fails", async () => {
    await notices.add([delivery("a"), delivery("b")], 0);
    await pass(DOWN);
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
  });

  it.each([400, 413, 422])("is dead at once if the receiver refuses it with status %d", async (status) => {
    await notices.add([delivery("a")], 0);
    await pass({ outcome: "rejected", status, problem: `status ${status}` });
    expect(await notices.dead(9)).toMatchObject([{ key: "a", problem: `status ${status}` }]);
  });

  it("is dead after a day of attempts", async () => {
    await notices.add([delivery("a")], 0);
    for (let attempt = 0; attempt < 40; attempt += 1) {
      await pass(DOWN);
      now += DAY / 30;
    }
    expect(await notices.status()).toMatchObject([{ waiting: 0, dead: 1 }]);
    expect(bodies.length).toBeGreaterThan(30);
  });

  it("is not dead because the clock jumped ahead", async () => {
    await notices.add([delivery("a")], 0);
    await pass(DOWN);
    now += 10 * DAY;
    expect(await pass(DOWN)).toMatchObject({ outcome: "failing" });
    expect(await notices.dead(9)).toEqual([]);
  });
});

describe("deliveries to Slack", () => {
  const grouped = ["a", "b"].map((key) => delivery(key, { receiver: "slack" }));

  it("of one group are one message", async () => {
    await notices.add([...grouped, delivery("c", { receiver: "slack", group: "other" })], 0);
    expect(await pass(ACCEPTED, slack)).toEqual({ outcome: "delivered" });
    expect(bodies[0]).toContain("2 messages of rule failures");
    expect(await pass(ACCEPTED, slack)).toEqual({ outcome: "delivered" });
    expect(await pass(ACCEPTED, slack)).toEqual({ outcome: "idle" });
  });

  it("stay the same message when they are tried again, although others came", async () => {
    await notices.add(grouped, 0);
    await pass(DOWN, slack);
    await notices.add([delivery("c", { receiver: "slack" })], 0);
    now += 10;
    await pass(ACCEPTED, slack);
    expect(bodies[1]).toBe(bodies[0]);
    await pass(ACCEPTED, slack);
    expect(bodies[2]).not.toContain("messages of rule");
  });

  it("to a webhook are never grouped", async () => {
    await notices.add([delivery("a"), delivery("b")], 0);
    await pass(ACCEPTED);
    await pass(ACCEPTED);
    expect(bodies).toHaveLength(2);
  });
});

describe("a rate limit", () => {
  it("lets further messages wait, and then sends them together", async () => {
    const limited: Receiver = { ...slack, rateLimit: { max: 1, perMillis: 60_000 } };
    await notices.add([delivery("a", { receiver: "slack" })], 0);
    expect(await pass(ACCEPTED, limited)).toEqual({ outcome: "delivered" });
    await notices.add(
      ["b", "c", "d"].map((key) => delivery(key, { receiver: "slack" })),
      0,
    );
    expect(await pass(ACCEPTED, limited)).toEqual({ outcome: "limited" });
    now += 60_000;
    expect(await pass(ACCEPTED, limited)).toEqual({ outcome: "delivered" });
    expect(bodies[1]).toContain("3 messages of rule failures");
  });
});
