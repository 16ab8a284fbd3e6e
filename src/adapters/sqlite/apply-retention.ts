import { DAY_MILLIS, dayBegin, formatMillis, type Instant, utcDay } from "../../job/model/instant.ts";
import { LOG_MORE_DAYS } from "../../ports/log.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { CHANGES_DAYS } from "../../ports/records/changes-record.ts";
import type { RemovedRecord } from "../../ports/records/removed-record.ts";
import { type Connection, numberOf, textOf } from "./connection.ts";
import type { Database } from "./database.ts";
import { tablesOf } from "./sqlite-job-store.ts";

export interface RetentionOptions {
  /** Jobs are deleted, with all their data, this many days after they finished. */
  readonly jobDays?: number;
  /** @default `jobDays` for every namespace, without conditions */
  readonly limits?: RetentionLimits;
  readonly now: Instant;
}

/** What may be deleted when. */
export interface RetentionLimits {
  /** For how many days the Jobs of a namespace are kept after their end; `undefined` means for ever. */
  daysOf(cluster: string, namespace: string): number | undefined;
  /**
   * The longest retention in a cluster. The cluster's log is kept {@link LOG_MORE_DAYS} days longer, so that Jobs can
   * be rebuilt.
   */
  longestOf(cluster: string): number | undefined;
  /** Asked about each Job that has expired. */
  mayDeleteJob(job: ExpiredJob): Promise<boolean>;
  /** Asked about each run that has expired, after the Jobs. Its uid is `jobUid`. */
  mayDeleteRun(run: ExpiredJob): Promise<boolean>;
  /** Whether an expired day of the log may be deleted, by its partition key. Asked after expired Jobs are deleted. */
  mayDeleteDay(pk: string): Promise<boolean>;
  /** Records what is deleted, in the same transaction. Without a namespace, it concerns the whole cluster. */
  noteRemoved(place: RemovedPlace, deleted: RemovedRecord): Promise<void>;
  /** Removes what a subject of metrics contributes; counters keep it. */
  forgetSubject(cluster: string, id: string): Promise<void>;
  /** Whether gaps are kept: answers from the archive need the gaps of all times. */
  readonly keepsGaps: boolean;
  /** The projections that are kept up to date. The Jobs that an earlier one still has answer nothing any more. */
  readonly current: readonly ProjectionName[];
}

export interface RemovedPlace {
  readonly cluster: string;
  readonly namespace?: string;
}

export interface ExpiredJob {
  readonly projection: ProjectionName;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly jobUid: string;
}

export interface Deleted {
  readonly logItems: number;
  readonly jobs: number;
  readonly records: number;
  /** Expired Jobs and days of the log that may not be deleted. */
  readonly kept: { readonly jobs: number; readonly days: number };
}

/** Rows per transaction, so that other processes can write in between. */
const CHUNK = 500;
const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/**
 * Deletes expired days of the log, expired Jobs, gaps and hints that are older than every remaining Job, and messages
 * that were settled before the log begins. A live Job never expires, and neither do the gaps during its life: without
 * them its answer would seem to be complete.
 */
export async function applyRetention(database: Database, options: RetentionOptions): Promise<Deleted> {
  const { jobDays, limits = everywhere(jobDays), now } = options;
  const run = { limits, now };
  const jobs = { deleted: 0, kept: 0 };
  for (const projection of PROJECTIONS) {
    const { deleted, kept } = await deleteExpired(database, { projection, table: "jobs" }, run);
    jobs.deleted += deleted;
    jobs.kept += kept;
    // A run expires with its last Job.
    await deleteExpired(database, { projection, table: "runs" }, run);
  }
  // After the Jobs: those that are left may need days of the log.
  const days = await deleteLogDays(database, run);
  let records = 0;
  for (const cluster of await clustersOf(database)) records += await deleteAround(database, cluster, run);
  return { logItems: days.items, jobs: jobs.deleted, records, kept: { jobs: jobs.kept, days: days.kept } };
}

interface RetentionRun {
  readonly limits: RetentionLimits;
  readonly now: Instant;
}

function everywhere(jobDays: number | undefined): RetentionLimits {
  return {
    daysOf: () => jobDays,
    longestOf: () => jobDays,
    mayDeleteJob: async () => true,
    mayDeleteRun: async () => true,
    mayDeleteDay: async () => true,
    noteRemoved: async () => undefined,
    forgetSubject: async () => undefined,
    keepsGaps: false,
    current: PROJECTIONS,
  };
}

async function clustersOf(database: Database): Promise<readonly string[]> {
  const ofMeta = "SELECT DISTINCT substr(key, 1, instr(key, '#') - 1) AS cluster FROM meta WHERE kind IN";
  const sql = `${ofMeta} ('gap', 'hints', 'late', 'notice') UNION SELECT DISTINCT cluster FROM metric_subjects`;
  return (await database.read((connection) => connection.all(sql))).map((row) => textOf(row, "cluster"));
}

/** Deletes what is stored beside the Jobs and the log of a cluster. */
async function deleteAround(database: Database, cluster: string, { limits, now }: RetentionRun): Promise<number> {
  const days = limits.longestOf(cluster);
  if (days === undefined) return 0;
  const jobCutoff = now - days * DAY_MILLIS;
  const logCutoff = jobCutoff - LOG_MORE_DAYS * DAY_MILLIS;
  const expired = { cluster, cutoff: jobCutoff, limits };
  const records = await database.inTransaction(async () => {
    const { deleted, before } = await database.write((connection) => deleteRecords(connection, expired));
    const noted = limits.keepsGaps ? { hintsBefore: before } : { recordsBefore: before };
    if (deleted > 0) await limits.noteRemoved({ cluster }, noted);
    return deleted;
  });
  await forgetSubjects(database, cluster, { limits, cutoff: logCutoff });
  await database.write((connection) => deleteNotices(connection, cluster, logCutoff));
  const arrivals = await database.write((connection) => deleteArrivals(connection, cluster, logCutoff));
  return records + arrivals;
}

/** Deletes announced changes that have expired. Their keys are `shard#instant#name`. */
export async function deleteChanges(database: Database, now: Instant): Promise<void> {
  const cutoff = formatMillis(now - CHANGES_DAYS * DAY_MILLIS);
  for (const row of await database.read((connection) => connection.all(CHANGE_SHARDS))) {
    const shard = textOf(row, "shard");
    await inChunks(database, (connection) =>
      connection.run(
        `DELETE FROM meta WHERE rowid IN
           (SELECT rowid FROM meta WHERE kind = 'changes' AND key >= ? AND key < ? LIMIT ?)`,
        `${shard}#`,
        `${shard}#${cutoff}`,
        CHUNK,
      ),
    );
  }
}

const CHANGE_SHARDS = "SELECT DISTINCT substr(key, 1, instr(key, '#') - 1) AS shard FROM meta WHERE kind = 'changes'";

/**
 * Forgets the contributions of deleted Jobs and runs to metrics; the sums stay. While the log still has a Job's facts,
 * its contribution is kept, because a replay would count the Job again.
 */
async function forgetSubjects(
  database: Database,
  cluster: string,
  { limits, cutoff }: Pick<RetentionRun, "limits"> & { readonly cutoff: Instant },
): Promise<void> {
  for (let left = CHUNK; left === CHUNK;) {
    left = await database.inTransaction(async () => {
      const rows = await database.read((connection) => connection.all(GONE_SUBJECTS, cluster, cutoff, CHUNK));
      for (const row of rows) await limits.forgetSubject(cluster, textOf(row, "subject"));
      return rows.length;
    });
  }
}

const CLUSTER = "metric_subjects.cluster";
const GONE_JOB = `instr(subject, '/') = 0 AND NOT (${isStored(CLUSTER, "metric_subjects.subject")})`;
/** Its subject is `run/UID`. */
const RUN_UID = "substr(metric_subjects.subject, 5)";
const GONE_RUN = `subject GLOB 'run/*' AND NOT (${isStored(CLUSTER, RUN_UID, "runs")})`;
const GONE_SUBJECTS = `
  SELECT subject FROM metric_subjects
  WHERE cluster = ? AND at < ? AND ((${GONE_JOB}) OR (${GONE_RUN})) LIMIT ?`;

/**
 * Forgets what rules matched about Jobs that are deleted and have no messages left, and how many messages erased data
 * had. As long as the log has a Job's facts, the record stays: a late delivery of the facts must not send anything
 * again.
 */
function deleteNotices(connection: Connection, cluster: string, cutoff: Instant): void {
  for (const kind of ["Job", "erased"]) {
    // The key is `cluster#kind#uid`.
    const prefix = `${cluster}#${kind}#`;
    connection.run(
      `DELETE FROM meta WHERE kind = 'notice' AND key >= ? AND key < ? AND coalesce(value ->> '$.changedAt', 0) < ?
         AND json_array_length(value, '$.waiting') = 0 AND NOT (${isStored("?", "substr(meta.key, ?)")})`,
      prefix,
      `${cluster}#${kind}$`,
      cutoff,
      ...PROJECTIONS.flatMap(() => [cluster, prefix.length + 1]),
    );
  }
}

/** An SQL condition: a projection has the Job, or the run. */
function isStored(cluster: string, jobUid: string, of: "jobs" | "runs" = "jobs"): string {
  const conditions = PROJECTIONS.map(
    (projection) =>
      `EXISTS (SELECT 1 FROM ${tablesOf(projection)[of]} AS job
         WHERE job.cluster = ${cluster} AND job.job_uid = ${jobUid})`,
  );
  return conditions.join(" OR ");
}

/**
 * Late arrivals whose segments have expired. Their keys are `cluster#arrivedAt#sk`. A segment of a day that is kept
 * arrived after the begin of the day.
 */
function deleteArrivals(connection: Connection, cluster: string, cutoff: Instant): number {
  const oldest = connection.get("SELECT min(pk) AS pk FROM log WHERE pk >= ? AND pk < ?", `${cluster}#`, `${cluster}$`);
  const begin = typeof oldest?.["pk"] === "string" ? dayBegin(dayOf(oldest["pk"])) : undefined;
  return connection.run(
    "DELETE FROM meta WHERE kind = 'late' AND key >= ? AND key < ?",
    `${cluster}#`,
    `${cluster}#${formatMillis(Math.min(cutoff, begin ?? cutoff))}`,
  );
}

async function deleteLogDays(
  database: Database,
  { limits, now }: RetentionRun,
): Promise<{ readonly items: number; readonly kept: number }> {
  const days = await database.read((connection) => connection.all("SELECT DISTINCT pk FROM log"));
  let items = 0;
  let kept = 0;
  for (const pk of days.map((row) => textOf(row, "pk"))) {
    const longest = limits.longestOf(pk.slice(0, pk.lastIndexOf("#")));
    if (longest === undefined || dayOf(pk) >= utcDay(now - (longest + LOG_MORE_DAYS) * DAY_MILLIS)) continue;
    if (!(await limits.mayDeleteDay(pk))) {
      kept += 1;
      continue;
    }
    // Recorded before the items are deleted, because records from them can no longer be verified.
    const logBefore = (dayBegin(dayOf(pk)) ?? 0) + DAY_MILLIS;
    await limits.noteRemoved({ cluster: pk.slice(0, pk.lastIndexOf("#")) }, { logBefore });
    items += await deleteLogDay(database, pk);
  }
  return { items, kept };
}

async function deleteLogDay(database: Database, pk: string): Promise<number> {
  const deleted = await inChunks(database, (connection) =>
    connection.run("DELETE FROM log WHERE rowid IN (SELECT rowid FROM log WHERE pk = ? LIMIT ?)", pk, CHUNK),
  );
  // The record of the day is deleted last, so that every item belongs to a recorded day.
  await database.write((connection) => connection.run("DELETE FROM meta WHERE kind = 'logDay' AND key = ?", pk));
  return deleted;
}

function dayOf(pk: string): string {
  return pk.slice(pk.lastIndexOf("#") + 1);
}

interface DeletedJobs {
  readonly deleted: number;
  readonly kept: number;
}

/** Jobs, or runs, of a projection. */
interface StoredIn {
  readonly projection: ProjectionName;
  readonly table: "jobs" | "runs";
}

async function deleteExpired(
  database: Database,
  { projection, table }: StoredIn,
  run: RetentionRun,
): Promise<DeletedJobs> {
  const namespaces = `SELECT DISTINCT cluster, namespace FROM ${tablesOf(projection)[table]} WHERE phase IS NOT NULL`;
  const { limits } = run;
  const mayDelete = (job: ExpiredJob) => (table === "jobs" ? limits.mayDeleteJob(job) : limits.mayDeleteRun(job));
  let deleted = 0;
  let kept = 0;
  for (const row of await database.read((connection) => connection.all(namespaces))) {
    const place = { projection, table, cluster: textOf(row, "cluster"), namespace: textOf(row, "namespace") };
    const days = run.limits.daysOf(place.cluster, place.namespace);
    if (days === undefined) continue;
    const endedBefore = run.now - days * DAY_MILLIS;
    for await (const chunk of expiredJobs(database, place, endedBefore)) {
      const gone: ExpiredJob[] = [];
      for (const job of chunk) if (await mayDelete(job)) gone.push(job);
      await database.inTransaction(async () => {
        if (gone.length > 0) await run.limits.noteRemoved(place, { endedBefore, days });
        await database.write((connection) => gone.forEach((job) => drop(connection, table, job)));
      });
      deleted += gone.length;
      kept += chunk.length - gone.length;
    }
  }
  return { deleted, kept };
}

type JobPlace = StoredIn & Pick<ExpiredJob, "cluster" | "namespace">;

/**
 * The expired Jobs of a namespace in the order of the list index, newest first. The age of a Job counts from its end,
 * otherwise from its creation.
 */
async function* expiredJobs(
  database: Database,
  place: JobPlace,
  cutoff: Instant,
): AsyncGenerator<readonly ExpiredJob[]> {
  const { projection, table, cluster, namespace } = place;
  const sql = `SELECT job_uid, name, created_at FROM ${tablesOf(projection)[table]}
    WHERE cluster = ? AND namespace = ? AND phase = 'F' AND created_at <= ? AND (created_at < ? OR job_uid > ?)
      AND coalesce(ended_at, created_at) < ? ORDER BY created_at DESC, job_uid LIMIT ?`;
  let after = { createdAt: cutoff, jobUid: BEYOND };
  for (;;) {
    const { createdAt, jobUid } = after;
    const rows = await database.read((connection) =>
      connection.all(sql, cluster, namespace, createdAt, createdAt, jobUid, cutoff, CHUNK),
    );
    yield rows.map((row) => ({
      projection,
      cluster,
      namespace,
      name: textOf(row, "name"),
      jobUid: textOf(row, "job_uid"),
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    after = { createdAt: numberOf(last, "created_at"), jobUid: textOf(last, "job_uid") };
  }
}

/** After every uid, which is printable ASCII. */
const BEYOND = "\u{10FFFF}";

function drop(connection: Connection, table: StoredIn["table"], { projection, cluster, jobUid }: ExpiredJob): void {
  const { [table]: rows, pages } = tablesOf(projection);
  connection.run(`DELETE FROM ${rows} WHERE cluster = ? AND job_uid = ?`, cluster, jobUid);
  connection.run(`DELETE FROM ${pages} WHERE cluster = ? AND job_uid = ?`, cluster, jobUid);
}

async function inChunks(database: Database, deleteSome: (connection: Connection) => number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = await database.inTransaction(() => database.write(deleteSome));
    deleted += some;
    if (some < CHUNK) return deleted;
  }
}

interface ExpiredRecords {
  readonly cluster: string;
  readonly cutoff: Instant;
  readonly limits: RetentionLimits;
}

interface DeletedRecords {
  readonly deleted: number;
  /** Those from before this instant. */
  readonly before: Instant;
}

/**
 * Deletes gaps and hints that ended before the cutoff and before the creation of the oldest remaining Job of the
 * cluster.
 */
function deleteRecords(connection: Connection, { cluster, cutoff, limits }: ExpiredRecords): DeletedRecords {
  const { current, keepsGaps } = limits;
  const oldest = Math.min(cutoff, ...current.map((projection) => oldestJob(connection, projection, cluster)));
  const begin = [`${cluster}#`, `${cluster}$`] as const;
  const gaps = "DELETE FROM meta WHERE kind = 'gap' AND key >= ? AND key < ? AND (value ->> '$.to') < ?";
  const hints = `DELETE FROM meta WHERE kind = 'hints' AND key >= ? AND key < ?
    AND (SELECT max(hint.value ->> '$.at') FROM json_each(meta.value, '$.hints') AS hint) < ?`;
  const deleted = (keepsGaps ? 0 : connection.run(gaps, ...begin, oldest)) + connection.run(hints, ...begin, oldest);
  return { deleted, before: oldest };
}

function oldestJob(connection: Connection, projection: ProjectionName, cluster: string): Instant {
  const sql = `SELECT coalesce(min(created_at), ?) AS oldest FROM ${tablesOf(projection).jobs} WHERE cluster = ?`;
  const row = connection.get(sql, Number.MAX_SAFE_INTEGER, cluster);
  return row === undefined ? Number.MAX_SAFE_INTEGER : numberOf(row, "oldest");
}
