import type {
  MetaKind,
  MetaPage,
  MetaRange,
  MetaRecord,
  MetaStore,
  MetaWrite,
  MetaWriteOutcome,
} from "../../ports/meta.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";
import type { Database } from "./database.ts";

/** Small records in table `meta`. SQLite compares texts by their UTF-8 bytes, as DynamoDB does. */
export function createSqliteMetaStore(database: Database): MetaStore {
  return {
    read: (kind, key) =>
      database.read((connection) => {
        const row = connection.get("SELECT * FROM meta WHERE kind = ? AND key = ?", kind, key);
        return row && toRecord(row);
      }),
    write: (kind, key, record) => database.write((connection) => write(connection, { kind, key, ...record })),
    list: (kind, options) => database.read((connection) => list(connection, kind, options)),
  };
}

function write(
  connection: Connection,
  { kind, key, value, expected }: MetaWrite & { readonly kind: MetaKind; readonly key: string },
): MetaWriteOutcome {
  const written =
    expected === 0
      ? connection.run(
          "INSERT INTO meta (kind, key, version, value) VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING",
          kind,
          key,
          value,
        )
      : connection.run(
          "UPDATE meta SET value = ?, version = version + 1 WHERE kind = ? AND key = ? AND version = ?",
          value,
          kind,
          key,
          expected,
        );
  return written === 1 ? { outcome: "written", version: expected + 1 } : { outcome: "conflict" };
}

/** The last code point. Every key that begins with a prefix sorts before the prefix followed by it. */
const BEYOND = "\u{10FFFF}";

function list(connection: Connection, kind: MetaKind, { prefix, after, before, limit }: MetaRange): MetaPage {
  // One lower bound, so that SQLite seeks to it: the later one of the prefix and the position.
  const isWithin = after !== undefined && Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
  const rows = connection.all(
    `SELECT * FROM meta WHERE kind = ? AND key ${isWithin ? ">" : ">="} ? AND key < ? ORDER BY key LIMIT ?`,
    kind,
    isWithin ? after : prefix,
    isWithin && before !== undefined ? before : prefix + BEYOND,
    limit + 1,
  );
  const records = rows.slice(0, limit).map(toRecord);
  const last = records.at(-1);
  return rows.length > limit && last !== undefined ? { records, next: last.key } : { records };
}

function toRecord(row: Row): MetaRecord {
  return { key: textOf(row, "key"), value: textOf(row, "value"), version: numberOf(row, "version") };
}
