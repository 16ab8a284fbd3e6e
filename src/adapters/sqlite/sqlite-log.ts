import type { AppendOutcome, Log, LogDay, LogItem, LogKey, LogPage } from "../../ports/log.ts";
import { dayPartition } from "../../segment/segment-key.ts";
import { bytesOf, type Connection, numberOf, type Row, textOf } from "./connection.ts";
import type { Database } from "./database.ts";

/** The log in table `log`. */
export function createSqliteLog(database: Database): Log {
  return {
    append: (item) => database.write((connection) => append(connection, item)),

    read: ({ pk, sk }) =>
      database.read((connection) => {
        const row = connection.get("SELECT * FROM log WHERE pk = ? AND sk = ?", pk, sk);
        return row && toItem(row);
      }),

    readDay: (day, options) => database.read((connection) => readDay(connection, day, options)),

    partitions: () =>
      database.read((connection) => connection.all("SELECT DISTINCT pk FROM log").map((row) => textOf(row, "pk"))),
  };
}

function append(connection: Connection, { key, bytes, sha256, factCount }: LogItem): AppendOutcome {
  const written = connection.run(
    "INSERT INTO log (pk, sk, sha256, fact_count, bytes) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    key.pk,
    key.sk,
    sha256,
    factCount,
    bytes,
  );
  if (written === 1) return { outcome: "appended" };
  const stored = connection.get("SELECT sha256 FROM log WHERE pk = ? AND sk = ?", key.pk, key.sk);
  // Retention in another process deleted the item between the two statements. A segment that old is a repetition.
  if (stored === undefined || stored["sha256"] === sha256) return { outcome: "duplicate" };
  return { outcome: "conflict", storedSha256: textOf(stored, "sha256") };
}

function readDay(
  connection: Connection,
  { cluster, day }: LogDay,
  { after, limit }: { readonly after?: LogKey; readonly limit: number },
): LogPage {
  const rows = connection.all(
    "SELECT * FROM log WHERE pk = ? AND sk > ? ORDER BY sk LIMIT ?",
    dayPartition(cluster, day),
    after?.sk ?? "",
    limit + 1,
  );
  const items = rows.slice(0, limit).map(toItem);
  const last = items.at(-1);
  return rows.length > limit && last !== undefined ? { items, next: last.key } : { items };
}

function toItem(row: Row): LogItem {
  return {
    key: { pk: textOf(row, "pk"), sk: textOf(row, "sk") },
    bytes: bytesOf(row, "bytes"),
    sha256: textOf(row, "sha256"),
    factCount: numberOf(row, "fact_count"),
  };
}
