import { existsSync, statSync } from "node:fs";
import { bytesOf, type Connection, numberOf, textOf } from "../../adapters/sqlite/connection.ts";
import { inspectDatabase } from "../../adapters/sqlite/database.ts";
import { LIVE_KEY } from "../../ports/meta-key.ts";
import { type ClusterRecord, clusterRecord } from "../../ports/records/cluster-record.ts";
import { liveRecord } from "../../ports/records/live-record.ts";
import { type SegmentFormats, segmentFormats } from "../../segment/segment-formats.ts";

/** What is in a database file of any schema. */
export interface FileFormats {
  readonly schema: number;
  /** The size of the file with what SQLite has not moved into it yet. */
  readonly bytes: number;
  /** Whether a process has the file open, or was killed while it had. */
  readonly isInUse: boolean;
  /** The formats of some segments of the log: its first and its last ones. */
  readonly sample: SegmentFormats;
  /** How many segments the log has. */
  readonly segments: number;
  /** How many Jobs the live projection has. */
  readonly jobs: number;
  readonly clusters: readonly (Pick<ClusterRecord, "observed"> & { readonly name: string })[];
}

/** So many segments are decoded of each end of the log: some seconds in a large file. */
const SAMPLED = 500;

/** Reads the formats in a file without changing it. Throws a DatabaseError if it cannot be read. */
export async function readFileFormats(path: string): Promise<FileFormats> {
  return inspectDatabase(path, (connection, schema) => {
    const file = { schema, bytes: sizeOf(path) + sizeOf(`${path}-wal`), isInUse: existsSync(`${path}-wal`) };
    // An empty file: nothing was written yet.
    if (schema === 0) return { ...file, sample: segmentFormats([]), segments: 0, jobs: 0, clusters: [] };
    return {
      ...file,
      sample: segmentFormats(sampleOf(connection)),
      segments: countOf(connection, "log"),
      jobs: countOf(connection, liveProjection(connection) === "A" ? "jobs_a" : "jobs_b"),
      clusters: clustersOf(connection),
    };
  });
}

function* sampleOf(connection: Connection): Generator<Uint8Array> {
  const ends = ["ASC", "DESC"].map((order) => `SELECT rowid FROM log ORDER BY rowid ${order} LIMIT ${SAMPLED}`);
  const rows = connection.all(
    `SELECT rowid AS id FROM (${ends.map((end) => `SELECT * FROM (${end})`).join(" UNION ")})`,
  );
  for (const row of rows) {
    const item = connection.get("SELECT bytes FROM log WHERE rowid = ?", numberOf(row, "id"));
    if (item !== undefined) yield bytesOf(item, "bytes");
  }
}

function countOf(connection: Connection, table: "log" | "jobs_a" | "jobs_b"): number {
  return Number(connection.get(`SELECT count(*) AS number FROM ${table}`)?.["number"]);
}

function liveProjection(connection: Connection): "A" | "B" {
  const row = connection.get("SELECT value FROM meta WHERE kind = 'live' AND key = ?", LIVE_KEY);
  return row === undefined ? "A" : liveRecord.decode({ key: LIVE_KEY, value: textOf(row, "value") }).live;
}

function clustersOf(connection: Connection): FileFormats["clusters"] {
  return connection.all("SELECT key, value FROM meta WHERE kind = 'cluster' ORDER BY key").map((row) => {
    const name = textOf(row, "key");
    return { ...clusterRecord.decode({ key: name, value: textOf(row, "value") }), name };
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
