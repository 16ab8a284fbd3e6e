import type { Instant } from "../../job/model/instant.ts";
import { isState, type State } from "../../job/model/states.ts";
import type { CountedJobs, CountQuery } from "../../ports/jobs.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";

const HOUR_MILLIS = 3_600_000;

export function hourOf(createdAt: Instant): number {
  return Math.floor(createdAt / HOUR_MILLIS);
}

/**
 * The first grouping column. The index has the order of hours, states and findings, so only owners need a sort. Buckets
 * are not grouped, because nearly every Job would be its own group: joining them into a text costs a tenth of the sort.
 */
const GROUPS = { all: "hour", hour: "hour", owner: "owner" } as const;

/** Counts in the index `measures` only; `undefined` if rows of the namespace are not in it. */
export function countJobs(
  connection: Connection,
  table: string,
  { cluster, namespace, createdAfter, createdBefore, by }: CountQuery,
): readonly CountedJobs[] | undefined {
  // SQLite would otherwise choose the list's index and read every row of the namespace.
  const unmeasured = `SELECT 1 AS one FROM ${table} INDEXED BY ${table}_unmeasured
    WHERE cluster = ? AND namespace = ? AND phase IS NOT NULL AND state IS NULL LIMIT 1`;
  if (connection.get(unmeasured, cluster, namespace) !== undefined) return undefined;
  const after = createdAfter ?? -Number.MAX_SAFE_INTEGER;
  const before = createdBefore ?? Number.MAX_SAFE_INTEGER;
  const group = GROUPS[by];
  const rows = connection.all(
    `SELECT ${group} AS grouped, state, findings, count(*) AS jobs, group_concat(bucket) AS buckets,
       sum(attention) AS attention,
       sum(pods_seen) AS seen, sum(pods_succeeded) AS succeeded, sum(pods_failed) AS failed,
       sum(needless_runs > 0) AS again, sum(needless_runs) AS runs, sum(needless_millis) AS millis
     FROM ${table} INDEXED BY ${table}_measures
     WHERE state IS NOT NULL AND cluster = ? AND namespace = ? AND hour BETWEEN ? AND ?
       AND created_at > ? AND created_at < ?
     GROUP BY ${group}, state, findings`,
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
    group: groupOf(row, by),
    state: stateOf(row),
    durations: bucketsOf(row),
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

function stateOf(row: Row): State {
  const state = textOf(row, "state");
  return isState(state) ? state : "Unknown";
}

function groupOf(row: Row, by: CountQuery["by"]): string {
  switch (by) {
    case "all":
      return "";
    case "hour":
      return String(numberOf(row, "grouped") * HOUR_MILLIS);
    case "owner":
      return textOf(row, "grouped");
  }
}

/** Counts the numbers of a text such as "161,175,161" without splitting it: a summary can have a million of them. */
function bucketsOf(row: Row): ReadonlyMap<number, number> {
  const text = row["buckets"] === null ? "" : textOf(row, "buckets");
  const counts = new Map<number, number>();
  let bucket = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0) {
      bucket = bucket * 10 + digit;
    } else if (text !== "") {
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      bucket = 0;
    }
  }
  return counts;
}

const ZERO = "0".charCodeAt(0);
