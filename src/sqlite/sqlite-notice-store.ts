import * as v from "valibot";
import type { Instant } from "../job/model/instant.ts";
import type {
  DeadDelivery,
  Delivery,
  DeliveryResult,
  NewDelivery,
  NoticeRecord,
  NoticeStore,
  ReceiverStatus,
} from "../ports/notices.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";
import type { Database } from "./database.ts";

/** Notices and deliveries in tables `notices` and `deliveries`. */
export function createSqliteNoticeStore(database: Database): NoticeStore {
  return {
    read: (subject) => database.read((connection) => readNotice(connection, subject)),
    write: (subject, record) => database.write((connection) => writeNotice(connection, subject, record)),
    add: (deliveries, now) =>
      database.write((connection) => deliveries.forEach((one) => add(connection, one, { status: "waiting", now }))),
    suppress: (delivery, now) =>
      database.write((connection) => add(connection, delivery, { status: "suppressed", now })),
    replaceHeld: (key, value, now) =>
      database.write((connection) => connection.run(`UPDATE deliveries SET value = ? ${HELD}`, value, key, now) === 1),
    cancelHeld: (key, now) =>
      database.write((connection) => connection.run(`DELETE FROM deliveries ${HELD}`, key, now) === 1),
    due: (receiver, options) => database.read((connection) => readDue(connection, receiver, options)),
    setBatch: (keys, batch) =>
      database.inTransaction(() => database.write((connection) => assign(connection, keys, batch))),
    batch: (receiver, batch) => database.read((connection) => readBatch(connection, receiver, batch)),
    settle: (keys, result, now) =>
      database.inTransaction(() =>
        database.write((connection) => keys.forEach((key) => settle(connection, key, { result, now }))),
      ),
    deliveredSince: (receiver, since) => database.read((connection) => deliveredSince(connection, receiver, since)),
    status: () => database.read(readStatus),
    dead: (limit) => database.read((connection) => readDead(connection, limit)),
  };
}

const HELD = "WHERE key = ? AND status = 'waiting' AND attempts = 0 AND batch IS NULL AND next_at > ?";

const noticeSchema: v.GenericSchema<unknown, NoticeRecord> = v.object({
  version: v.number(),
  condition: v.string(),
  open: v.record(v.string(), v.object({ version: v.number(), matched: v.string() })),
});

function readNotice(connection: Connection, subject: string): NoticeRecord | undefined {
  const row = connection.get("SELECT value FROM notices WHERE subject = ?", subject);
  return row && v.parse(noticeSchema, JSON.parse(textOf(row, "value")));
}

function writeNotice(connection: Connection, subject: string, record: NoticeRecord): void {
  const sql = "INSERT INTO notices (subject, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value";
  connection.run(sql, subject, JSON.stringify(record));
}

interface Added {
  readonly status: "waiting" | "suppressed";
  readonly now: Instant;
}

function add(connection: Connection, delivery: NewDelivery, { status, now }: Added): void {
  const { key, receiver, subject, nextAt, group, value } = delivery;
  connection.run(
    `INSERT INTO deliveries (key, receiver, subject, status, next_at, noted_at, message_group, value)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    key,
    receiver,
    subject,
    status,
    nextAt,
    now,
    group,
    value,
  );
}

/** A delivery recorded further in the future than this was recorded before the clock was set back, so it is due. */
const CLOCK_TOLERANCE_MILLIS = 60_000;

function readDue(
  connection: Connection,
  receiver: string,
  { now, limit }: { readonly now: Instant; readonly limit: number },
): readonly Delivery[] {
  const rows = connection.all(
    `SELECT * FROM deliveries AS one WHERE receiver = ? AND status = 'waiting' AND (next_at <= ? OR noted_at > ?)
     AND NOT EXISTS (
       SELECT 1 FROM deliveries AS earlier WHERE earlier.receiver = one.receiver AND earlier.status = 'waiting'
       AND earlier.subject = one.subject AND earlier.seq < one.seq
     ) ORDER BY seq LIMIT ?`,
    receiver,
    now,
    now + CLOCK_TOLERANCE_MILLIS,
    limit,
  );
  return rows.map(toDelivery);
}

function assign(connection: Connection, keys: readonly string[], batch: string): void {
  for (const key of keys) connection.run("UPDATE deliveries SET batch = ? WHERE key = ?", batch, key);
}

function readBatch(connection: Connection, receiver: string, batch: string): readonly Delivery[] {
  const sql = "SELECT * FROM deliveries WHERE receiver = ? AND batch = ? AND status = 'waiting' ORDER BY seq";
  return connection.all(sql, receiver, batch).map(toDelivery);
}

function toDelivery(row: Row): Delivery {
  return {
    key: textOf(row, "key"),
    receiver: textOf(row, "receiver"),
    subject: textOf(row, "subject"),
    nextAt: numberOf(row, "next_at"),
    group: textOf(row, "message_group"),
    value: textOf(row, "value"),
    attempts: numberOf(row, "attempts"),
    ...(row["first_tried_at"] !== null && { firstTriedAt: numberOf(row, "first_tried_at") }),
    ...(row["batch"] !== null && { batch: textOf(row, "batch") }),
  };
}

interface Settling {
  readonly result: DeliveryResult;
  readonly now: Instant;
}

function settle(connection: Connection, key: string, { result, now }: Settling): void {
  const status = result.outcome === "failed" ? "waiting" : result.outcome;
  connection.run(
    `UPDATE deliveries SET status = ?, next_at = ?, noted_at = ?, problem = ?, attempts = attempts + 1,
     first_tried_at = coalesce(first_tried_at, ?) WHERE key = ? AND status = 'waiting'`,
    status,
    result.outcome === "failed" ? result.nextAt : now,
    now,
    result.outcome === "delivered" ? null : result.problem,
    now,
    key,
  );
}

/** Deliveries of one batch are one message. */
function deliveredSince(connection: Connection, receiver: string, since: Instant) {
  const row = connection.get(
    `SELECT count(DISTINCT coalesce(batch, key)) AS messages, min(next_at) AS first_at FROM deliveries
     WHERE receiver = ? AND status = 'delivered' AND next_at > ?`,
    receiver,
    since,
  );
  const messages = row === undefined ? 0 : numberOf(row, "messages");
  return row === undefined || messages === 0 ? { messages } : { messages, firstAt: numberOf(row, "first_at") };
}

function readStatus(connection: Connection): readonly ReceiverStatus[] {
  const rows = connection.all(
    `SELECT receiver, sum(status = 'waiting') AS waiting, sum(status = 'delivered') AS delivered,
       sum(status = 'dead') AS dead, sum(status = 'suppressed') AS suppressed,
       max(CASE status WHEN 'delivered' THEN next_at END) AS last_delivered_at,
       min(CASE status WHEN 'waiting' THEN first_tried_at END) AS failing_since
     FROM deliveries GROUP BY receiver ORDER BY receiver`,
  );
  return rows.map((row) => {
    const receiver = textOf(row, "receiver");
    const problem = connection.get(
      "SELECT problem FROM deliveries WHERE receiver = ? AND problem IS NOT NULL ORDER BY noted_at DESC LIMIT 1",
      receiver,
    );
    return {
      receiver,
      waiting: numberOf(row, "waiting"),
      delivered: numberOf(row, "delivered"),
      dead: numberOf(row, "dead"),
      suppressed: numberOf(row, "suppressed"),
      ...(row["last_delivered_at"] !== null && { lastDeliveredAt: numberOf(row, "last_delivered_at") }),
      ...(row["failing_since"] !== null && { failingSince: numberOf(row, "failing_since") }),
      ...(problem && { lastProblem: textOf(problem, "problem") }),
    };
  });
}

function readDead(connection: Connection, limit: number): readonly DeadDelivery[] {
  const sql = "SELECT * FROM deliveries WHERE status = 'dead' ORDER BY seq DESC LIMIT ?";
  return connection.all(sql, limit).map((row) => ({
    key: textOf(row, "key"),
    receiver: textOf(row, "receiver"),
    at: numberOf(row, "noted_at"),
    problem: textOf(row, "problem"),
  }));
}
