import type { Instant } from "../job/instant.ts";
import type { CountedJobs, CountQuery } from "../ports/jobs.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";

const HOUR_MILLIS = 3_600_000;

export function hourOf(createdAt: Instant): number {
  return Math.floor(createdAt / HOUR_MILLIS);
}

/** Of `hour` the index has the order, so that nothing is sorted; the others have few groups. */
const GROUPS = { all: "''", owner: "owner", hour: "hour" } as const;

/** Counts in the index `measures` alone; `undefined` where rows of the namespace are not in it. */
export function countJobs(
  connection: Connection,
  table: string,
  { cluster, namespace, createdAfter, createdBefore, by }: CountQuery,
): readonly CountedJobs[] | undefined {
  const unmeasured = `SELECT 1 AS one FROM ${table} WHERE cluster = ? AND namespace = ? AND phase IS NOT NULL AND state IS NULL LIMIT 1`;
  if (connection.get(unmeasured, cluster, namespace) !== undefined) return undefined;
  const after = createdAfter ?? -Number.MAX_SAFE_INTEGER;
  const before = createdBefore ?? Number.MAX_SAFE_INTEGER;
  const group = GROUPS[by];
  const rows = connection.all(
    `SELECT ${group} AS grouped, state, bucket, findings, count(*) AS jobs, sum(attention) AS attention,
       sum(pods_seen) AS seen, sum(pods_succeeded) AS succeeded, sum(pods_failed) AS failed,
       sum(needless_runs > 0) AS again, sum(needless_runs) AS runs, sum(needless_millis) AS millis
     FROM ${table} INDEXED BY ${table}_measures
     WHERE state IS NOT NULL AND cluster = ? AND namespace = ? AND hour BETWEEN ? AND ? AND created_at > ? AND created_at < ?
     GROUP BY ${by === "all" ? "" : `${group}, `}state, bucket, findings`,
    cluster,
    namespace,
    hourOf(after),
    hourOf(before),
    after,
    before,
  );
  return rows.map((row) => toCounted(row, by));
}

function toCounted(row: Row, by: CountQuery["by"]): CountedJobs {
  return {
    group: by === "hour" ? String(numberOf(row, "grouped") * HOUR_MILLIS) : textOf(row, "grouped"),
    state: textOf(row, "state"),
    ...(row["bucket"] !== null && { durationBucket: numberOf(row, "bucket") }),
    findings: textOf(row, "findings"),
    jobs: numberOf(row, "jobs"),
    attention: numberOf(row, "attention"),
    podsSeen: numberOf(row, "seen"),
    podsSucceeded: numberOf(row, "succeeded"),
    podsFailed: numberOf(row, "failed"),
    jobsAgain: numberOf(row, "again"),
    needlessRuns: numberOf(row, "runs"),
    needlessMillis: numberOf(row, "millis"),
  };
}
