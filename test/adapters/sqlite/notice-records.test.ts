import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliverDue } from "../../../src/notify/outbox/deliver-due.ts";
import { outboxStatus } from "../../../src/notify/outbox/outbox-status.ts";
import type { Receiver } from "../../../src/notify/rules/rules.ts";
import type { OutgoingMessage } from "../../../src/ports/message-sender.ts";
import { noticeRecord } from "../../../src/ports/records/notices/notice-record.ts";
import { readRecord } from "../../../src/ports/records/record-codec.ts";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { MIGRATIONS } from "../../../src/adapters/sqlite/migrations.ts";
import { notificationExample } from "../../support/notify/notification-example.ts";
import { HOOK } from "../../support/notify/notified-tracker.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const RECORD = { version: 2, condition: "c2", open: { failures: { version: 1, matched: "m" } } };
const CHARGE = "east#Job#u1";

interface EarlierDelivery {
  readonly status: string;
  readonly nextAt: number;
  readonly subject?: string;
  readonly receiver?: string;
  readonly attempts?: number;
  readonly firstTriedAt?: number;
  readonly problem?: string;
  readonly batch?: string;
}

let scratch: ScratchDatabases;
beforeEach(() => {
  scratch = new ScratchDatabases();
});
afterEach(() => scratch.clear());

/** A database file as the release before wrote it. */
function earlierFile(deliveries: Readonly<Record<string, EarlierDelivery>>): string {
  const path = scratch.newPath();
  const file = new DatabaseSync(path);
  file.exec(`PRAGMA application_id = 0x4f55544c; ${MIGRATIONS.slice(0, 6).join(";")}; PRAGMA user_version = 6;
    INSERT INTO meta (kind, key, version, value) VALUES ('cluster', 'east', 1, '{}')`);
  file.prepare("INSERT INTO notices (subject, value) VALUES (?, ?)").run(CHARGE, JSON.stringify(RECORD));
  const insert = file.prepare(`INSERT INTO deliveries (key, receiver, subject, status, next_at, noted_at, message_group,
    batch, attempts, first_tried_at, problem, value) VALUES (?, ?, ?, ?, ?, ?, 'g', ?, ?, ?, ?, ?)`);
  for (const [key, one] of Object.entries(deliveries)) {
    const { status, nextAt, subject = CHARGE, receiver = "hook", attempts = 0 } = one;
    const { batch = null, firstTriedAt = null, problem = null } = one;
    const value = JSON.stringify(notificationExample({ key }));
    insert.run(key, receiver, subject, status, nextAt, NOW - 1_000, batch, attempts, firstTriedAt, problem, value);
  }
  file.close();
  return path;
}

/** Opens the file, and sends what is due to a receiver. Returns the identities of the messages. */
async function deliverFrom(path: string, now: number, receiver: Receiver = HOOK) {
  const embedded = openEmbedded(path);
  const sent: string[] = [];
  const send = async ({ body }: OutgoingMessage) => {
    sent.push(...[...body.matchAll(/"key":"([^"]+)"/g)].flatMap(([, key]) => key ?? []));
    return { outcome: "accepted", status: 200 } as const;
  };
  while ((await deliverDue({ ...embedded, now: () => now, backOff: () => 0, send }, receiver)).outcome === "delivered");
  const status = await outboxStatus(embedded.meta, 10);
  const damaged = await embedded.findDamagedRows();
  const notice = (await readRecord(embedded.meta, noticeRecord, CHARGE))?.value;
  embedded.close();
  return { sent, status, damaged, notice };
}

describe("messages in a file of the release before", () => {
  it("are sent with their identities and in order, the held ones when they are due", async () => {
    const path = earlierFile({
      "u1/1/failures/hook": { status: "delivered", nextAt: NOW - 60_000 },
      "u1/2/failures/hook": { status: "waiting", nextAt: NOW, attempts: 3, firstTriedAt: NOW - 9_000, problem: "down" },
      "u1/3/failures/hook": { status: "waiting", nextAt: NOW },
      "u2/1/failures/hook": { status: "waiting", nextAt: NOW + 5_000, subject: "east#Job#u2" },
    });
    expect((await deliverFrom(path, NOW)).sent).toEqual(["u1/2/failures/hook", "u1/3/failures/hook"]);
    expect((await deliverFrom(path, NOW + 5_000)).sent).toEqual(["u2/1/failures/hook"]);
    const { sent, status, damaged } = await deliverFrom(path, NOW + 90_000);
    expect(sent).toEqual([]);
    expect(damaged).toEqual([]);
    expect(status.receivers).toMatchObject([{ receiver: "hook", waiting: 0, delivered: 4 }]);
  });

  it("keep what rules have matched, attempts, problems and numbers", async () => {
    const path = earlierFile({
      "u1/1/failures/hook": { status: "delivered", nextAt: NOW - 60_000 },
      "u1/2/failures/hook": { status: "waiting", nextAt: NOW + 1, attempts: 3, firstTriedAt: 7, problem: "down" },
      "u1/1/failures/slack": { status: "dead", nextAt: NOW, receiver: "slack", problem: "status 400" },
      "u1/2/failures/slack": { status: "suppressed", nextAt: NOW, receiver: "slack" },
    });
    const { notice, status, damaged } = await deliverFrom(path, NOW);
    expect(damaged).toEqual([]);
    expect(notice).toEqual({
      notice: RECORD,
      waiting: [
        {
          key: "u1/2/failures/hook",
          receiver: "hook",
          nextAt: NOW + 1,
          group: "g",
          value: JSON.stringify(notificationExample({ key: "u1/2/failures/hook" })),
          attempts: 3,
          firstTriedAt: 7,
          notedAt: NOW - 1_000,
          problem: "down",
        },
      ],
      dead: [{ key: "u1/1/failures/slack", receiver: "slack", at: NOW - 1_000, problem: "status 400" }],
      tallies: {
        hook: { delivered: 1, dead: 0, suppressed: 0, lastDeliveredAt: NOW - 60_000 },
        slack: { delivered: 0, dead: 1, suppressed: 1 },
      },
      changedAt: NOW - 1_000,
    });
    expect(status.receivers).toMatchObject([
      { receiver: "hook", waiting: 1, failingSince: 7, lastProblem: "down" },
      { receiver: "slack", dead: 1, suppressed: 1 },
    ]);
  });

  it("count for the rate limit of their receiver", async () => {
    const sentBefore = (at: number, batch?: string): EarlierDelivery => ({
      status: "delivered",
      nextAt: NOW - at,
      subject: `east#Job#${at}`,
      ...(batch !== undefined && { batch }),
    });
    const path = earlierFile({
      a: sentBefore(59_000, "together"),
      b: sentBefore(58_000, "together"),
      c: sentBefore(30_000),
      d: { status: "waiting", nextAt: NOW },
    });
    const limited: Receiver = { ...HOOK, rateLimit: { max: 2, perMillis: 60_000 } };
    expect((await deliverFrom(path, NOW, limited)).sent).toEqual([]);
    expect((await deliverFrom(path, NOW + 90_000, limited)).sent).toEqual(["d"]);
  });

  it("of a subject that no rule has matched any more stay", async () => {
    const path = earlierFile({ "u9/1/failures/hook": { status: "waiting", nextAt: 0, subject: "east#Job#u9" } });
    expect((await deliverFrom(path, NOW)).sent).toEqual(["u9/1/failures/hook"]);
  });
});
