import { NOTICE_RECORDS } from "./notice-records.ts";
import { addChecksum } from "./row-checksums.ts";

/**
 * The notices about a subject, and their deliveries. `next_at` of a settled delivery is when it was settled. `noted_at`
 * shows a clock that was set back.
 */
const NOTIFICATIONS = `
  CREATE TABLE notices (
    subject TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    receiver TEXT NOT NULL,
    subject TEXT NOT NULL,
    status TEXT NOT NULL,
    next_at INTEGER NOT NULL,
    noted_at INTEGER NOT NULL,
    message_group TEXT NOT NULL,
    batch TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    first_tried_at INTEGER,
    problem TEXT,
    value TEXT NOT NULL
  ) STRICT;
  CREATE INDEX deliveries_waiting ON deliveries (receiver, subject, seq) WHERE status = 'waiting';
  CREATE INDEX deliveries_sent ON deliveries (receiver, next_at) WHERE status = 'delivered';
`;

const CHECKED_TABLES: readonly string[] = [
  "log",
  "meta",
  "jobs_a",
  "jobs_b",
  "pages_a",
  "pages_b",
  "metric_series",
  "metric_values",
  "metric_subjects",
  "metric_backlog",
  "notices",
  "deliveries",
];

/**
 * The migrations from each schema to the next; the first one creates schema 1. A released migration never changes. All
 * tables have a rowid, so that their indexes do not contain the large values.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE log (
    pk TEXT NOT NULL,
    sk TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    fact_count INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (pk, sk)
  ) STRICT;

  CREATE TABLE meta (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT;
  ${projectionV1("a")}
  ${projectionV1("b")}
  `,
  `
  ${packSummaries("a")}
  ${packSummaries("b")}
  `,
  `
  ${addMeasures("a")}
  ${addMeasures("b")}
  `,
  // The amounts of a subject are a text (metric-amounts.ts). `shown` is null unless the series is a counter. Jobs that
  // are already stored must contribute once.
  `
  CREATE TABLE metric_series (
    id INTEGER PRIMARY KEY,
    family INTEGER NOT NULL,
    kind TEXT NOT NULL,
    labels TEXT NOT NULL
  ) STRICT;
  CREATE TABLE metric_values (
    series INTEGER NOT NULL,
    part INTEGER NOT NULL,
    value INTEGER NOT NULL,
    shown INTEGER,
    PRIMARY KEY (series, part)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE metric_subjects (
    cluster TEXT NOT NULL,
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    amounts TEXT NOT NULL,
    PRIMARY KEY (cluster, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE metric_backlog (reason TEXT NOT NULL) STRICT;
  INSERT INTO metric_backlog (reason)
    SELECT 'jobs' WHERE EXISTS (SELECT 1 FROM jobs_a) OR EXISTS (SELECT 1 FROM jobs_b);
  `,
  NOTIFICATIONS,
  CHECKED_TABLES.map(addChecksum).join("\n"),
  NOTICE_RECORDS,
  "-- cron-counts.ts moves the counts of CronJobs.",
  `${addRuns("a")}${addRuns("b")}`,
];

/** The schema from which on rows have checksums. Checksums of earlier rows are set once, after the migration. */
export const CHECKSUMS_SINCE = 6;

/**
 * The tables of one projection. `bytes` is the last column, because SQLite reads a row from its beginning and a list
 * needs no state. The list's index contains all columns of its filter and order, so that every page costs the same.
 */
function projectionV1(name: "a" | "b"): string {
  return `
  CREATE TABLE jobs_${name} (
    cluster TEXT NOT NULL,
    job_uid TEXT NOT NULL,
    version INTEGER NOT NULL,
    namespace TEXT,
    name TEXT,
    created_at INTEGER,
    phase TEXT,
    attention INTEGER,
    summary TEXT,
    bytes BLOB NOT NULL,
    PRIMARY KEY (cluster, job_uid)
  ) STRICT;
  ${indexes(name)}
  CREATE TABLE pages_${name} (
    cluster TEXT NOT NULL,
    job_uid TEXT NOT NULL,
    hash TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (cluster, job_uid, hash)
  ) STRICT;
  `;
}

function indexes(name: "a" | "b", table: "jobs" | "runs" = "jobs"): string {
  return `
  CREATE INDEX ${table}_${name}_list ON ${table}_${name} (cluster, namespace, phase, created_at DESC, job_uid)
    WHERE phase IS NOT NULL;
  CREATE INDEX ${table}_${name}_name ON ${table}_${name} (cluster, namespace, name, created_at DESC, job_uid)
    WHERE phase IS NOT NULL;
  CREATE INDEX ${table}_${name}_attention ON ${table}_${name} (cluster, created_at DESC, job_uid) WHERE attention = 1;
  `;
}

/**
 * Summaries become bytes (JSON text is one encoding), and retention gets its own column. The table is copied, because
 * SQLite cannot change the type of a column.
 */
function packSummaries(name: "a" | "b"): string {
  const ended = "coalesce(summary ->> '$.finishedAt', summary ->> '$.deletedAt', summary ->> '$.createdAt')";
  const columns = "cluster, job_uid, version, namespace, name, created_at, phase, attention";
  return `
  ALTER TABLE jobs_${name} RENAME TO jobs_${name}_v1;
  DROP INDEX jobs_${name}_list;
  DROP INDEX jobs_${name}_name;
  DROP INDEX jobs_${name}_attention;
  CREATE TABLE jobs_${name} (
    cluster TEXT NOT NULL,
    job_uid TEXT NOT NULL,
    version INTEGER NOT NULL,
    namespace TEXT,
    name TEXT,
    created_at INTEGER,
    phase TEXT,
    attention INTEGER,
    ended_at INTEGER,
    summary BLOB,
    bytes BLOB NOT NULL,
    PRIMARY KEY (cluster, job_uid)
  ) STRICT;
  INSERT INTO jobs_${name} (${columns}, ended_at, summary, bytes)
    SELECT ${columns}, CASE phase WHEN 'F' THEN unixepoch(${ended}) * 1000 END, CAST(summary AS BLOB), bytes
    FROM jobs_${name}_v1;
  DROP TABLE jobs_${name}_v1;
  ${indexes(name)}
  `;
}

/** Runs are stored like Jobs, without measures. */
function addRuns(name: "a" | "b"): string {
  return `
  CREATE TABLE runs_${name} (
    cluster TEXT NOT NULL,
    job_uid TEXT NOT NULL,
    version INTEGER NOT NULL,
    namespace TEXT,
    name TEXT,
    created_at INTEGER,
    phase TEXT,
    attention INTEGER,
    ended_at INTEGER,
    summary BLOB,
    external_id TEXT,
    bytes BLOB NOT NULL,
    PRIMARY KEY (cluster, job_uid)
  ) STRICT;
  ${indexes(name, "runs")}
  CREATE INDEX runs_${name}_external ON runs_${name} (external_id, created_at DESC, job_uid)
    WHERE external_id IS NOT NULL;
  ${addChecksum(`runs_${name}`)}
  `;
}

/**
 * An index for summaries, in the order of counting by hour: a million Jobs are counted without a sort and without
 * reading rows. Older rows have no measures until their next write; the small index shows whether there are any.
 */
function addMeasures(name: "a" | "b"): string {
  const texts = ["state", "owner", "findings"];
  const numbers = ["hour", "bucket", "pods_seen", "pods_succeeded", "pods_failed", "needless_runs", "needless_millis"];
  const columns = [...texts.map((column) => `${column} TEXT`), ...numbers.map((column) => `${column} INTEGER`)];
  const sums = "pods_seen, pods_succeeded, pods_failed, needless_runs, needless_millis, attention";
  return `
  ${columns.map((column) => `ALTER TABLE jobs_${name} ADD COLUMN ${column};`).join("\n  ")}
  CREATE INDEX jobs_${name}_measures ON jobs_${name}
    (cluster, namespace, hour, state, findings, created_at, bucket, owner, ${sums}) WHERE state IS NOT NULL;
  CREATE INDEX jobs_${name}_unmeasured ON jobs_${name} (cluster, namespace) WHERE phase IS NOT NULL AND state IS NULL;
  `;
}
