import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runNotifier } from "../../../src/notify/outbox/run-notifier.ts";
import type { OutgoingMessage, SendResult } from "../../../src/ports/message-sender.ts";
import { receiverOf } from "../../support/notify/opened-receiver.ts";
import { deliveryOf, SqliteOutbox } from "../../support/notify/sqlite-outbox.ts";
import { ManualClock } from "../../support/running/manual-clock.ts";

let outbox: SqliteOutbox;
let clock: ManualClock;
beforeEach(() => {
  outbox = new SqliteOutbox();
  clock = new ManualClock();
  outbox.now = clock.now();
});
afterEach(() => outbox.close());

const receivers = ["good", "bad"].map((name) => receiverOf({ name, webhook: { url: `https://${name}.example/` } }));

function deliveryTo(receiver: string, key: string) {
  return deliveryOf(key, { receiver });
}

async function receiverStatus() {
  return (await outbox.status()).receivers;
}

function urlOf(message: OutgoingMessage): string {
  return message.kind === "http" ? message.url : "";
}

describe("a notifier", () => {
  it("delivers to each receiver, and says once when one fails and when it accepts again", async () => {
    const sent: string[] = [];
    const reports: string[] = [];
    let bad: SendResult = { outcome: "unreachable", problem: "connection refused" };
    const send = async (message: OutgoingMessage): Promise<SendResult> => {
      const { hostname } = new URL(urlOf(message));
      sent.push(hostname);
      return hostname === "bad.example" ? bad : { outcome: "accepted", status: 200 };
    };
    await outbox.add(deliveryTo("bad", "b1"), deliveryTo("good", "g1"), deliveryTo("good", "g2"));
    const report = (sentence: string): void => void reports.push(sentence);
    const notifier = runNotifier({ ...outbox.ports, receivers, send, clock, backOff: () => 5_000, report });
    await clock.advance(1_000);
    expect(sent.filter((host) => host === "good.example")).toHaveLength(2);
    await clock.advance(20_000);
    expect(reports).toEqual(["Receiver bad does not accept messages: connection refused. Retrying."]);
    bad = { outcome: "accepted", status: 200 };
    await clock.advance(60_000);
    expect(reports.at(-1)).toBe("Receiver bad accepts messages again.");
    expect(await receiverStatus()).toMatchObject([
      { receiver: "bad", delivered: 1, waiting: 0 },
      { receiver: "good", delivered: 2, waiting: 0 },
    ]);
    await notifier.stop();
  });

  it("does not wait for a receiver that never answers, and stops after it", async () => {
    const { promise: slow, resolve: answer } = Promise.withResolvers<SendResult>();
    const send = async (message: OutgoingMessage): Promise<SendResult> =>
      urlOf(message).includes("bad") ? slow : { outcome: "accepted", status: 200 };
    await outbox.add(deliveryTo("bad", "b1"), deliveryTo("good", "g1"));
    const notifier = runNotifier({ ...outbox.ports, receivers, send, clock, backOff: () => 5_000, report: () => {} });
    await clock.advance(2_000);
    expect(await receiverStatus()).toMatchObject([{ waiting: 1 }, { delivered: 1 }]);
    const stopped = notifier.stop();
    answer({ outcome: "accepted", status: 200 });
    await stopped;
    expect(await receiverStatus()).toMatchObject([{ delivered: 1 }, { delivered: 1 }]);
  });

  it("goes on after the database failed", async () => {
    const reports: string[] = [];
    let isBroken = true;
    const { dueSubjects } = outbox.ports;
    const due: typeof dueSubjects.due = async (...args) => {
      if (isBroken) throw new Error("disk full");
      return dueSubjects.due(...args);
    };
    await outbox.add(deliveryTo("good", "g1"));
    const notifier = runNotifier({
      ...outbox.ports,
      dueSubjects: { ...dueSubjects, due },
      receivers: receivers.slice(0, 1),
      send: async () => ({ outcome: "accepted", status: 200 }),
      clock,
      backOff: () => 5_000,
      report: (sentence) => reports.push(sentence),
    });
    await clock.advance(1_000);
    expect(reports).toEqual(["Receiver good does not accept messages: disk full. Retrying."]);
    isBroken = false;
    await clock.advance(60_000);
    expect(await receiverStatus()).toMatchObject([{ delivered: 1 }]);
    await notifier.stop();
  });
});
