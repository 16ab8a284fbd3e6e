import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import type { Receiver } from "../../../src/notify/rules/rules.ts";
import type { OutgoingMessage, SendResult } from "../../../src/ports/message-sender.ts";
import { HOOK } from "../../support/notify/notified-tracker.ts";
import { receiverOf } from "../../support/notify/opened-receiver.ts";
import { deliveryOf, SqliteOutbox } from "../../support/notify/sqlite-outbox.ts";

const ACCEPTED: SendResult = { outcome: "accepted", status: 200 };
const DOWN: SendResult = { outcome: "unreachable", problem: "connection refused" };
const DAY = 86_400_000;
const slack: Receiver = receiverOf({ name: "slack", slack: { urlEnv: "URL" } }, { URL: "https://hooks.slack.com/x" });

let outbox: SqliteOutbox;
let bodies: string[] = [];
beforeEach(() => {
  outbox = new SqliteOutbox();
  outbox.now = 1_000;
  bodies = [];
});
afterEach(() => outbox.close());

/** One pass with a receiver that answers so. */
function pass(answer: SendResult | ((body: string) => SendResult), receiver: Receiver = HOOK, limit?: number) {
  const send = async ({ body }: OutgoingMessage): Promise<SendResult> => {
    bodies.push(body);
    return typeof answer === "function" ? answer(body) : answer;
  };
  return deliverDue({ ...outbox.ports, send, backOff: (retry) => retry * 10 }, receiver, limit);
}

describe("a delivery", () => {
  it("is sent once", async () => {
    await outbox.add(deliveryOf("a"));
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
    expect(await pass(ACCEPTED)).toEqual({ outcome: "idle" });
    expect(bodies).toHaveLength(1);
  });

  it("is tried again with back-off, with the same identity and content", async () => {
    await outbox.add(deliveryOf("a"));
    expect(await pass(DOWN)).toEqual({ outcome: "failing", problem: "connection refused" });
    expect(await pass(DOWN)).toEqual({ outcome: "idle" });
    outbox.now = 1_010;
    expect(await pass(DOWN)).toMatchObject({ outcome: "failing" });
    outbox.now = 1_029;
    expect(await pass(DOWN)).toEqual({ outcome: "idle" });
    outbox.now = 1_030;
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
    expect(new Set(bodies).size).toBe(1);
  });

  it("waits as long as the receiver asks for", async () => {
    await outbox.add(deliveryOf("a"));
    await pass({ outcome: "rejected", status: 429, problem: "status 429", retryAfterMillis: 5_000 });
    outbox.now = 5_999;
    expect(await pass(ACCEPTED)).toEqual({ outcome: "idle" });
    outbox.now = 6_000;
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
  });

  it("does not wait for one about another Job that fails", async () => {
    await outbox.add(deliveryOf("a"), deliveryOf("b"));
    expect(await pass((body) => (body.includes('"key":"a"') ? DOWN : ACCEPTED))).toEqual({ outcome: "delivered" });
    expect((await outbox.status()).receivers).toMatchObject([{ waiting: 1, delivered: 1 }]);
  });

  it("waits while another process sends it, and is sent by the next one if that was killed", async () => {
    await outbox.add(deliveryOf("a"));
    const killed = pass(() => {
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect(await pass(ACCEPTED)).toEqual({ outcome: "idle" });
    outbox.now += 120_000;
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([400, 413, 422])("is dead at once if the receiver refuses it with status %d", async (status) => {
    await outbox.add(deliveryOf("a"));
    await pass({ outcome: "rejected", status, problem: `status ${status}` });
    expect((await outbox.status()).dead).toMatchObject([{ key: "a", problem: `status ${status}` }]);
  });

  it("is dead after a day of attempts", async () => {
    await outbox.add(deliveryOf("a"));
    for (let attempt = 0; attempt < 40; attempt += 1) {
      await pass(DOWN);
      outbox.now += DAY / 30;
    }
    expect((await outbox.status()).receivers).toMatchObject([{ waiting: 0, dead: 1 }]);
    expect(bodies.length).toBeGreaterThan(30);
  });

  it("is not dead because the clock jumped ahead", async () => {
    await outbox.add(deliveryOf("a"));
    await pass(DOWN);
    outbox.now += 10 * DAY;
    expect(await pass(DOWN)).toMatchObject({ outcome: "failing" });
    expect((await outbox.status()).dead).toEqual([]);
  });

  it("is not held because the clock was set back, although another one was tried since", async () => {
    outbox.now = 10 * DAY;
    const about = { subject: "east#Job#s", nextAt: 10 * DAY + 5_000 };
    await outbox.add(deliveryOf("a", about), deliveryOf("b", { ...about, receiver: "slack" }));
    outbox.now = DAY;
    expect(await pass(DOWN)).toMatchObject({ outcome: "failing" });
    expect(await pass(DOWN)).toEqual({ outcome: "idle" });
    expect(await pass(ACCEPTED, slack)).toEqual({ outcome: "delivered" });
    outbox.now += 10;
    expect(await pass(ACCEPTED)).toEqual({ outcome: "delivered" });
  });
});

describe("a pass", () => {
  it("sends as many messages as it is asked for, the earliest first", async () => {
    await outbox.add(deliveryOf("a", { nextAt: 2 }), deliveryOf("b", { nextAt: 1 }));
    await pass(ACCEPTED, HOOK, 1);
    expect(bodies.map((body) => /"key":"(.)"/.exec(body)?.[1])).toEqual(["b"]);
  });
});

describe("deliveries to Slack", () => {
  const grouped = ["a", "b"].map((key) => deliveryOf(key, { receiver: "slack" }));

  it("of one group are one message", async () => {
    await outbox.add(...grouped, deliveryOf("c", { receiver: "slack", group: "other" }));
    expect(await pass(ACCEPTED, slack)).toEqual({ outcome: "delivered" });
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toContain("2 messages of rule failures");
    expect(await pass(ACCEPTED, slack)).toEqual({ outcome: "idle" });
  });

  it("that were not accepted are tried again together", async () => {
    await outbox.add(...grouped);
    await pass(DOWN, slack);
    outbox.now += 10;
    await pass(ACCEPTED, slack);
    expect(bodies[1]).toBe(bodies[0]);
  });

  it("to a webhook are never grouped", async () => {
    await outbox.add(deliveryOf("a"), deliveryOf("b"));
    await pass(ACCEPTED);
    expect(bodies).toHaveLength(2);
  });
});

describe("a rate limit", () => {
  it("lets further messages wait, and then sends them together", async () => {
    const limited: Receiver = { ...slack, rateLimit: { max: 1, perMillis: 60_000 } };
    await outbox.add(deliveryOf("a", { receiver: "slack" }));
    expect(await pass(ACCEPTED, limited)).toEqual({ outcome: "delivered" });
    await outbox.add(...["b", "c", "d"].map((key) => deliveryOf(key, { receiver: "slack" })));
    expect(await pass(ACCEPTED, limited)).toEqual({ outcome: "idle" });
    outbox.now += 62_000;
    expect(await pass(ACCEPTED, limited)).toEqual({ outcome: "delivered" });
    expect(bodies[1]).toContain("3 messages of rule failures");
  });
});
