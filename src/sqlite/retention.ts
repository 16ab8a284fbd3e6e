import { formatMillis, type Instant, utcDay } from "../job/model/instant.ts";
import { LOG_MORE_DAYS } from "../ports/log.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { type Connection, numberOf, textOf } from "./connection.ts";
import type { Database } from "./database.ts";
import { tablesOf } from "./sqlite-job-store.ts";

export interface RetentionOptions {
  /** Jobs are deleted, with all their data, this many days after they finished. */
  readonly jobDays: number;
  /**
   * Days of the log are deleted after this many days. It must exceed `jobDays`, or a replay would lose Jobs.
   * @default jobDays + {@link LOG_MORE_DAYS}
   */
  readonly logDays?: number;
  readonly now: Instant;
}

export interface Deleted {
  readonly logItems: number;
  readonly jobs: number;
  readonly records: number;
}

const DAY_MILLIS = 86_400_000;
/** Rows per transaction, so that other processes can write in between. */
const CHUNK = 500;
const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/**
 * Deletes expired days of the log, expired Jobs, and gaps and hints that are older than every remaining Job. A live Job
 * never expires, and neither do the gaps during its life: without them its answer would seem to be complete.
 */
export async function applyRetention(database: Database, options: RetentionOptions): Promise<Deleted> {
  const { jobDays, logDays = jobDays + LOG_MORE_DAYS, now } = options;
  const logItems = await deleteLogDays(database, utcDay(now - logDays * DAY_MILLIS));
  let jobs = 0;
  for (const projection of PROJECTIONS) jobs += await deleteJobs(database, projection, now - jobDays * DAY_MILLIS);
  const records = await database.write((connection) => deleteRecords(connection, now - jobDays * DAY_MILLIS));
  await database.write((connection) => deleteAmounts(connection, now - logDays * DAY_MILLIS));
  const arrivals = await database.write((connection) => deleteArrivals(connection, now - logDays * DAY_MILLIS));
  return { logItems, jobs, records: records + arrivals };
}

/**
 * Forgets what deleted Jobs contributed to metrics; the sums remain. As long as the log has a Job's facts, a replay
 * would otherwise count the Job again.
 */
function deleteAmounts(connection: Connection, cutoff: Instant): void {
  const isStored = PROJECTIONS.map(
    (projection) =>
      `EXISTS (SELECT 1 FROM ${tablesOf(projection).jobs} AS job
         WHERE job.cluster = metric_subjects.cluster AND job.job_uid = metric_subjects.subject)`,
  );
  connection.run(
    `DELETE FROM metric_subjects WHERE at < ? AND (instr(subject, '/') = 0 OR subject LIKE 'missed/%')
       AND NOT (${isStored.join(" OR ")})`,
    cutoff,
  );
}

/** Late arrivals whose segments may have expired. Their keys are `cluster#arrivedAt#sk`. */
function deleteArrivals(connection: Connection, cutoff: Instant): number {
  const clusters = connection.all(
    "SELECT DISTINCT substr(key, 1, instr(key, '#') - 1) AS cluster FROM meta WHERE kind = 'late'",
  );
  return clusters
    .map((row) => textOf(row, "cluster"))
    .reduce(
      (deleted, cluster) =>
        deleted +
        connection.run(
          "DELETE FROM meta WHERE kind = 'late' AND key >= ? AND key < ?",
          `${cluster}#`,
          `${cluster}#${formatMillis(cutoff)}`,
        ),
      0,
    );
}

async function deleteLogDays(database: Database, oldestKept: string): Promise<number> {
  const days = await database.read((connection) => connection.all("SELECT DISTINCT pk FROM log"));
  let deleted = 0;
  for (const pk of days.map((row) => textOf(row, "pk")).filter((pk) => dayOf(pk) < oldestKept)) {
    deleted += await inChunks(database, (connection) =>
      connection.run("DELETE FROM log WHERE rowid IN (SELECT rowid FROM log WHERE pk = ? LIMIT ?)", pk, CHUNK),
    );
    // The record of the day is deleted last, so that every item belongs to a recorded day.
    await database.write((connection) => connection.run("DELETE FROM meta WHERE kind = 'logDay' AND key = ?", pk));
  }
  return deleted;
}

function dayOf(pk: string): string {
  return pk.slice(pk.lastIndexOf("#") + 1);
}

/** The age of a Job counts from its end, or else from its creation. */
async function deleteJobs(database: Database, projection: ProjectionName, cutoff: Instant): Promise<number> {
  const { jobs, pages } = tablesOf(projection);
  const old = `SELECT cluster, job_uid FROM ${jobs}
    WHERE phase = 'F' AND created_at < ? AND coalesce(ended_at, created_at) < ? LIMIT ?`;
  return inChunks(database, (connection) => {
    const rows = connection.all(old, cutoff, cutoff, CHUNK);
    for (const row of rows) {
      const key = [textOf(row, "cluster"), textOf(row, "job_uid")] as const;
      connection.run(`DELETE FROM ${jobs} WHERE cluster = ? AND job_uid = ?`, ...key);
      connection.run(`DELETE FROM ${pages} WHERE cluster = ? AND job_uid = ?`, ...key);
    }
    return rows.length;
  });
}

async function inChunks(database: Database, deleteSome: (connection: Connection) => number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = await database.inTransaction(() => database.write(deleteSome));
    deleted += some;
    if (some < CHUNK) return deleted;
  }
}

/**
 * Deletes gaps and hints that ended before the cutoff and before the creation of the oldest remaining Job of the
 * cluster.
 */
function deleteRecords(connection: Connection, cutoff: Instant): number {
  const clusters = connection.all(
    "SELECT DISTINCT substr(key, 1, instr(key, '#') - 1) AS cluster FROM meta WHERE kind IN ('gap', 'hints')",
  );
  let deleted = 0;
  for (const cluster of clusters.map((row) => textOf(row, "cluster"))) {
    const oldest = Math.min(cutoff, ...PROJECTIONS.map((projection) => oldestJob(connection, projection, cluster)));
    const begin = [`${cluster}#`, `${cluster}$`] as const;
    deleted += connection.run(
      "DELETE FROM meta WHERE kind = 'gap' AND key >= ? AND key < ? AND (value ->> '$.to') < ?",
      ...begin,
      oldest,
    );
    deleted += connection.run(
      `DELETE FROM meta WHERE kind = 'hints' AND key >= ? AND key < ?
       AND (SELECT max(hint.value ->> '$.at') FROM json_each(meta.value, '$.hints') AS hint) < ?`,
      ...begin,
      oldest,
    );
  }
  return deleted;
}

function oldestJob(connection: Connection, projection: ProjectionName, cluster: string): Instant {
  const sql = `SELECT coalesce(min(created_at), ?) AS oldest FROM ${tablesOf(projection).jobs} WHERE cluster = ?`;
  const row = connection.get(sql, Number.MAX_SAFE_INTEGER, cluster);
  return row === undefined ? Number.MAX_SAFE_INTEGER : numberOf(row, "oldest");
}
