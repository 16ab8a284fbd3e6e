import { compareText } from "../../job/model/compare-text.ts";
import { decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobMeasures, JobRow, EncodedJobState, ListPosition, StoredJob } from "../../ports/job-row.ts";
import type {
  JobKey,
  JobPage,
  JobStore,
  ExternalRun,
  ListOptions,
  RunStore,
  WriteOutcome,
  NameQuery,
  NamespaceOfJobs,
} from "../../ports/jobs.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { bytesOf, type Connection, numberOf, type Row, textOf } from "./connection.ts";
import { countJobs, hourOf } from "./count-indexed-jobs.ts";
import type { Database } from "./database.ts";

/** One projection of Jobs, in the tables `jobs_a` and `pages_a`, or those of `b`. */
export function createSqliteJobStore(database: Database, projection: ProjectionName): JobStore {
  return storeIn(database, tablesOf(projection), JOB_COLUMNS);
}

/** One projection of runs, in the table `runs_a` or `runs_b`. Runs have no pages. */
export function createSqliteRunStore(database: Database, projection: ProjectionName): RunStore {
  const { runs, pages } = tablesOf(projection);
  return {
    ...storeIn(database, { jobs: runs, pages }, RUN_COLUMNS),
    listByExternalId: (externalId, limit) =>
      database.read((connection) => runsKnownAs(connection, runs, { externalId, limit })),
  };
}

function storeIn(database: Database, tables: StoreTables, columns: RowColumns): JobStore {
  const pageOf = (condition: string, values: readonly string[], options: ListOptions) =>
    database.read((connection) => listPage(connection, tables.jobs, { condition, values, ...options }));
  return {
    read: ({ cluster, jobUid }) =>
      database.read((connection) => {
        const row = connection.get(`SELECT * FROM ${tables.jobs} WHERE cluster = ? AND job_uid = ?`, cluster, jobUid);
        return row && toStoredJob(row);
      }),
    write: (key, state, expected) =>
      database.write((connection) => writeState(connection, tables.jobs, { key, state, expected, columns })),
    list: ({ cluster, namespace }, options) =>
      database.read((connection) => {
        const pages = PHASES.map((phase) =>
          listPage(connection, tables.jobs, { condition: IN_PHASE, values: [cluster, namespace, phase], ...options }),
        );
        return mergePages(pages, options);
      }),
    listLive: ({ cluster, namespace }, options) => pageOf(IN_PHASE, [cluster, namespace, "A"], options),
    listByName: ({ cluster, namespace, name }, options) =>
      pageOf("cluster = ? AND namespace = ? AND name = ? AND phase IS NOT NULL", [cluster, namespace, name], options),
    sampleNames: (namespace, limit) =>
      database.read((connection) => sampleNames(connection, tables.jobs, { ...namespace, limit })),
    namespacesWithName: (query) => database.read((connection) => namespacesWithName(connection, tables.jobs, query)),
    count: (query) => database.read((connection) => countJobs(connection, tables.jobs, query)),
    listAttention: ({ cluster }, options) => pageOf("cluster = ? AND attention = 1", [cluster], options),
    mostSorted: MOST_SORTED,
    ...pageStore(database, tables.pages),
  };
}

/** The number of Jobs that SQLite reads in half a second (docs/decisions/0052-sorting-lists.md). */
const MOST_SORTED = 10_000;

/** The pages of large Jobs. */
function pageStore(database: Database, pages: string): Pick<JobStore, "writePage" | "readPage"> {
  return {
    writePage: ({ cluster, jobUid }, hash, bytes) =>
      database.write((connection) => {
        const sql = `INSERT INTO ${pages} (cluster, job_uid, hash, bytes) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`;
        connection.run(sql, cluster, jobUid, hash, bytes);
      }),
    readPage: ({ cluster, jobUid }, hash) =>
      database.read((connection) => {
        const sql = `SELECT bytes FROM ${pages} WHERE cluster = ? AND job_uid = ? AND hash = ?`;
        const row = connection.get(sql, cluster, jobUid, hash);
        return row && bytesOf(row, "bytes");
      }),
  };
}

/** Each phase is a range of the index of lists. */
const PHASES = ["A", "F"] as const;
const IN_PHASE = "cluster = ? AND namespace = ? AND phase = ? AND phase IS NOT NULL";

type StoreTables = Readonly<Record<"jobs" | "pages", string>>;

/** The tables of a projection. */
export function tablesOf(projection: ProjectionName): Readonly<Record<keyof StoreTables | "runs", string>> {
  const letter = projection.toLowerCase();
  return { jobs: `jobs_${letter}`, pages: `pages_${letter}`, runs: `runs_${letter}` };
}

interface Write {
  readonly key: JobKey;
  readonly state: EncodedJobState;
  readonly expected: number;
  readonly columns: RowColumns;
}

type Value = string | number | null | Uint8Array;

/** The columns of the table with their values. */
type Columns<From> = Readonly<Record<string, (from: From) => Value>>;

interface CountedRow {
  readonly createdAt: Instant;
  readonly measures: JobMeasures;
}

/** The columns that lists read. */
const LISTED: Columns<JobRow> = {
  namespace: ({ namespace }) => namespace,
  name: ({ name }) => name,
  created_at: ({ createdAt }) => createdAt,
  phase: ({ phase }) => phase,
  attention: ({ attention }) => (attention ? 1 : 0),
  ended_at: ({ endedAt = null }) => endedAt,
  summary: ({ summary }) => summary,
};

/** The columns that summaries count; null in a row without measures. */
const COUNTED: Columns<CountedRow> = {
  state: ({ measures }) => measures.state,
  owner: ({ measures }) => measures.owner,
  findings: ({ measures }) => measures.findings,
  hour: ({ createdAt }) => hourOf(createdAt),
  bucket: ({ measures: { durationBucket = null } }) => durationBucket,
  pods_seen: ({ measures }) => measures.podsSeen,
  pods_succeeded: ({ measures }) => measures.podsSucceeded,
  pods_failed: ({ measures }) => measures.podsFailed,
  needless_runs: ({ measures }) => measures.needlessRuns,
  needless_millis: ({ measures }) => measures.needlessMillis,
};

/** The columns of a table besides the key, the version and the state. They are null without a row. */
type RowColumns = Columns<JobRow | undefined>;

const JOB_COLUMNS: RowColumns = {
  ...ofRow(LISTED, (row) => row),
  ...ofRow(COUNTED, (row) => row?.measures && { createdAt: row.createdAt, measures: row.measures }),
};
const RUN_COLUMNS: RowColumns = {
  ...ofRow(LISTED, (row) => row),
  external_id: (row) => row?.externalId ?? null,
};

function ofRow<Part>(columns: Columns<Part>, partOf: (row: JobRow | undefined) => Part | undefined): RowColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, valueOf]) => [
      name,
      (row: JobRow | undefined) => {
        const part = partOf(row);
        return part === undefined ? null : valueOf(part);
      },
    ]),
  );
}

function writeState(connection: Connection, table: string, { key, state, expected, columns }: Write): WriteOutcome {
  const names = [...Object.keys(columns), "bytes"];
  const values = [...Object.values(columns).map((valueOf) => valueOf(state.row)), state.bytes];
  const written =
    expected === 0
      ? connection.run(
          `INSERT INTO ${table} (${names.join(", ")}, cluster, job_uid, version)
           VALUES (${names.map(() => "?").join(", ")}, ?, ?, 1) ON CONFLICT DO NOTHING`,
          ...values,
          key.cluster,
          key.jobUid,
        )
      : connection.run(
          `UPDATE ${table} SET ${names.map((column) => `${column} = ?`).join(", ")}, version = version + 1
           WHERE cluster = ? AND job_uid = ? AND version = ?`,
          ...values,
          key.cluster,
          key.jobUid,
          expected,
        );
  return written === 1 ? { outcome: "written", version: expected + 1 } : { outcome: "conflict" };
}

interface KnownAs {
  readonly externalId: string;
  readonly limit: number;
}

function runsKnownAs(connection: Connection, table: string, { externalId, limit }: KnownAs): readonly ExternalRun[] {
  const sql = `SELECT cluster, ${SELECTED} FROM ${table} WHERE external_id = ?
    ORDER BY created_at DESC, job_uid LIMIT ?`;
  return connection.all(sql, externalId, limit).flatMap((row) => {
    const cluster = decodeClusterName(row["cluster"]);
    return cluster === undefined ? [] : toListed(row, false).map((listed) => ({ ...listed, cluster }));
  });
}

interface List extends ListOptions {
  readonly condition: string;
  readonly values: readonly string[];
}

/** The SQL of each order. SQLite reads an index in both directions. */
const ORDERS = {
  newest: { by: "created_at DESC, job_uid", after: "created_at <= ? AND (created_at < ? OR job_uid > ?)" },
  oldest: { by: "created_at, job_uid DESC", after: "created_at >= ? AND (created_at > ? OR job_uid < ?)" },
} as const;
const SELECTED = "job_uid, namespace, name, created_at, phase, attention, ended_at, summary";

/** SQLite seeks to the position in the index, so that every page costs the same. */
function listPage(
  connection: Connection,
  table: string,
  { condition, values, after, limit, order = "newest", withStates = false }: List,
): JobPage {
  const { by, after: isAfter } = ORDERS[order];
  const columns = withStates ? `${SELECTED}, bytes, version` : SELECTED;
  const select = `SELECT ${columns} FROM ${table} WHERE ${condition}`;
  const rows =
    after === undefined
      ? connection.all(`${select} ORDER BY ${by} LIMIT ?`, ...values, limit + 1)
      : connection.all(
          `${select} AND ${isAfter} ORDER BY ${by} LIMIT ?`,
          ...values,
          after.createdAt,
          after.createdAt,
          after.jobUid,
          limit + 1,
        );
  const page = rows.slice(0, limit).flatMap((row) => toListed(row, withStates));
  const last = page.at(-1);
  return rows.length > limit && last !== undefined ? { rows: page, next: positionOf(last) } : { rows: page };
}

/** One page of several sorted lists, each of which was read up to the limit. */
function mergePages(pages: readonly JobPage[], { limit, order = "newest" }: ListOptions): JobPage {
  const rows = pages.flatMap((page) => page.rows).toSorted(order === "newest" ? comparePositions : oldestFirst);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const isMore = rows.length > limit || pages.some(({ next }) => next !== undefined);
  return isMore && last !== undefined ? { rows: page, next: positionOf(last) } : { rows: page };
}

/** The newest first; by uid within an instant. */
function comparePositions(a: ListPosition, b: ListPosition): number {
  return b.createdAt - a.createdAt || compareText(a.jobUid, b.jobUid);
}

function oldestFirst(a: ListPosition, b: ListPosition): number {
  return comparePositions(b, a);
}

function positionOf({ createdAt, jobUid }: ListPosition): ListPosition {
  return { createdAt, jobUid };
}

function toStoredJob(row: Row): StoredJob {
  const stored = toState(row);
  return row["phase"] === null ? stored : { ...stored, row: toRow(row) };
}

function toState(row: Row): Pick<StoredJob, "bytes" | "version"> {
  return { bytes: bytesOf(row, "bytes"), version: numberOf(row, "version") };
}

function toListed(row: Row, withStates: boolean): JobPage["rows"] {
  const jobUid = decodeJobUid(row["job_uid"]);
  if (jobUid === undefined) return [];
  return [{ jobUid, ...toRow(row), ...(withStates && { stored: toState(row) }) }];
}

function toRow(row: Row): JobRow {
  return {
    namespace: textOf(row, "namespace"),
    name: textOf(row, "name"),
    createdAt: numberOf(row, "created_at"),
    phase: row["phase"] === "A" ? "A" : "F",
    attention: row["attention"] === 1,
    ...(row["ended_at"] !== null && { endedAt: numberOf(row, "ended_at") }),
    summary: bytesOf(row, "summary"),
  };
}

interface NamesOf extends NamespaceOfJobs {
  readonly limit: number;
}

/** The names of the newest Jobs of a namespace, up to `limit` of each phase. */
function sampleNames(connection: Connection, table: string, { cluster, namespace, limit }: NamesOf): readonly string[] {
  const sql = `SELECT name FROM ${table} WHERE cluster = ? AND namespace = ? AND phase = ? AND phase IS NOT NULL
    ORDER BY created_at DESC, job_uid LIMIT ?`;
  return ["A", "F"].flatMap((phase) =>
    connection.all(sql, cluster, namespace, phase, limit).map((row) => textOf(row, "name")),
  );
}

/** The namespaces that have a Job of the name. Each takes one lookup in the index of names. */
function namespacesWithName(
  connection: Connection,
  table: string,
  { cluster, name, namespaces }: NameQuery,
): readonly string[] {
  const sql = `SELECT 1 FROM ${table} WHERE cluster = ? AND namespace = ? AND name = ? AND phase IS NOT NULL LIMIT 1`;
  return namespaces.filter((namespace) => connection.get(sql, cluster, namespace, name) !== undefined);
}
