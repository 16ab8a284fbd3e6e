import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runNotifier } from "../../src/notify/run-notifier.ts";
import type { OutgoingMessage, SendResult } from "../../src/ports/message-sender.ts";
import { type Database, openDatabase } from "../../src/sqlite/database.ts";
import { createSqliteNoticeStore } from "../../src/sqlite/sqlite-notice-store.ts";
import { notificationExample } from "../support/notify/notification-example.ts";
import { HOOK } from "../support/notify/notified-tracker.ts";
import { ManualClock } from "../support/running/manual-clock.ts";

let database: Database;
beforeEach(() => {
  database = openDatabase(":memory:");
});
afterEach(() => database.close());

const receivers = ["good", "bad"].map((name) => ({
  ...HOOK,
  name,
  target: { kind: "webhook" as const, url: `https://${name}.example/` },
}));

function deliveryTo(receiver: string, key: string) {
  const value = JSON.stringify(notificationExample({ key }));
  return { key, receiver, subject: key, nextAt: 0, group: "g", value };
}

function urlOf(message: OutgoingMessage): string {
  return message.kind === "http" ? message.url : "";
}

describe("a notifier", () => {
  it("delivers to each receiver, and says once when one fails and when it accepts again", async () => {
    const notices = createSqliteNoticeStore(database);
    const clock = new ManualClock();
    const sent: string[] = [];
    const reports: string[] = [];
    let bad: SendResult = { outcome: "unreachable", problem: "connection refused" };
    const send = async (message: OutgoingMessage): Promise<SendResult> => {
      const { hostname } = new URL(urlOf(message));
      sent.push(hostname);
      return hostname === "bad.example" ? bad : { outcome: "accepted", status: 200 };
    };
    await notices.add([deliveryTo("bad", "b1"), deliveryTo("good", "g1"), deliveryTo("good", "g2")], clock.now());
    const report = (sentence: string): void => void reports.push(sentence);
    const notifier = runNotifier({ notices, receivers, send, clock, backOff: () => 5_000, report });
    await clock.advance(1_000);
    expect(sent.filter((host) => host === "good.example")).toHaveLength(2);
    await clock.advance(20_000);
    expect(reports).toEqual(["Receiver bad does not accept messages: connection refused. Retrying."]);
    bad = { outcome: "accepted", status: 200 };
    await clock.advance(60_000);
    expect(reports.at(-1)).toBe("Receiver bad accepts messages again.");
    expect(await notices.status()).toMatchObject([
      { receiver: "bad", delivered: 1, waiting: 0 },
      { receiver: "good", delivered: 2, waiting: 0 },
    ]);
    await notifier.stop();
  });

  it("does not wait for a receiver that never answers, and stops after it", async () => {
    const notices = createSqliteNoticeStore(database);
    const clock = new ManualClock();
    const { promise: slow, resolve: answer } = Promise.withResolvers<SendResult>();
    const send = async (message: OutgoingMessage): Promise<SendResult> =>
      urlOf(message).includes("bad") ? slow : { outcome: "accepted", status: 200 };
    await notices.add([deliveryTo("bad", "b1"), deliveryTo("good", "g1")], clock.now());
    const notifier = runNotifier({ notices, receivers, send, clock, backOff: () => 5_000, report: () => {} });
    await clock.advance(2_000);
    expect(await notices.status()).toMatchObject([{ waiting: 1 }, { delivered: 1 }]);
    const stopped = notifier.stop();
    answer({ outcome: "accepted", status: 200 });
    await stopped;
    expect(await notices.status()).toMatchObject([{ delivered: 1 }, { delivered: 1 }]);
  });

  it("goes on after the database failed", async () => {
    const notices = createSqliteNoticeStore(database);
    const clock = new ManualClock();
    const reports: string[] = [];
    let isBroken = true;
    const due: typeof notices.due = async (...args) => {
      if (isBroken) throw new Error("disk full");
      return notices.due(...args);
    };
    await notices.add([deliveryTo("good", "g1")], clock.now());
    const notifier = runNotifier({
      notices: { ...notices, due },
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
    expect(await notices.status()).toMatchObject([{ delivered: 1 }]);
    await notifier.stop();
  });
});
