/** A query of the archive, for Athena's console and API. */
export interface NamedQuery {
  readonly name: string;
  readonly description: string;
  readonly sql: string;
}

/** What the queries read unless their author changes it: Athena charges per byte. */
const DAYS = 90;
const SINCE = `dt >= CAST(current_date - INTERVAL '${DAYS}' DAY AS varchar)`;

/** Later facts write a row again: the one with the highest revision counts. */
const LATEST_JOBS = `latest_jobs AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY cluster, uid ORDER BY revision DESC) AS place FROM jobs WHERE ${SINCE}
  ) AS numbered WHERE place = 1
)`;
const LATEST_RUNS = `latest_runs AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY cluster, key ORDER BY revision DESC) AS place FROM runs WHERE ${SINCE}
  ) AS numbered WHERE place = 1
)`;
const LATEST_ATTEMPTS = `latest_attempts AS (
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY cluster, job_uid, uid ORDER BY revision DESC) AS place
    FROM attempts WHERE ${SINCE}
  ) AS numbered WHERE place = 1
)`;

/**
 * Written in the SQL that Athena (Trino) and DuckDB share. On DuckDB, define
 * `CREATE MACRO approx_percentile(x, p) AS quantile_cont(x, p)`.
 */
export const NAMED_QUERIES: readonly NamedQuery[] = [
  {
    name: "failures-by-cause-and-team",
    description: "Failed Jobs by the category of their cause and their label team",
    sql: `WITH ${LATEST_JOBS}
SELECT element_at(labels, 'team') AS team, cause_category, count(*) AS jobs
FROM latest_jobs WHERE verdict_state = 'Failed'
GROUP BY 1, 2 ORDER BY jobs DESC, cause_category`,
  },
  {
    name: "wasted-hours",
    description: "Hours of Pods that succeeded though they were not needed, and of Pods of Jobs that failed",
    sql: `WITH ${LATEST_JOBS},
${LATEST_ATTEMPTS},
failed AS (
  SELECT j.cluster, j.namespace, sum(date_diff('second', a.started_at, a.finished_at)) AS seconds
  FROM latest_jobs j JOIN latest_attempts a ON a.cluster = j.cluster AND a.job_uid = j.uid
  WHERE j.verdict_state = 'Failed' GROUP BY 1, 2
),
needless AS (
  SELECT cluster, namespace, sum(needless_seconds) AS seconds FROM latest_jobs GROUP BY 1, 2
)
SELECT n.cluster, n.namespace, round(n.seconds / 3600.0, 2) AS needless_hours,
  round(coalesce(f.seconds, 0) / 3600.0, 2) AS failed_hours
FROM needless n LEFT JOIN failed f ON f.cluster = n.cluster AND f.namespace = n.namespace
ORDER BY failed_hours DESC, needless_hours DESC`,
  },
  {
    name: "duration-by-week",
    description: "Median and 95th percentile of the duration of finished Jobs, by week",
    sql: `WITH ${LATEST_JOBS}
SELECT date_trunc('week', finished_at) AS week, count(*) AS jobs,
  approx_percentile(date_diff('second', started_at, finished_at), 0.5) AS p50_seconds,
  approx_percentile(date_diff('second', started_at, finished_at), 0.95) AS p95_seconds
FROM latest_jobs WHERE finished_at IS NOT NULL AND started_at IS NOT NULL
GROUP BY 1 ORDER BY 1`,
  },
  {
    name: "who-deleted-what",
    description: "Deleted Pods by who deleted them, why, and how certain that is",
    sql: `WITH ${LATEST_ATTEMPTS}
SELECT deleted_by_actor, deleted_by_cause, deleted_by_confidence, count(*) AS pods
FROM latest_attempts WHERE deleted_at IS NOT NULL
GROUP BY 1, 2, 3 ORDER BY pods DESC`,
  },
  {
    name: "missed-runs",
    description: "Runs of each CronJob and their largest distance: a missed run makes it longer",
    sql: `WITH ${LATEST_JOBS},
runs AS (
  SELECT cluster, namespace, owner_name, created_at,
    lag(created_at) OVER (PARTITION BY cluster, namespace, owner_name ORDER BY created_at) AS previous_at
  FROM latest_jobs WHERE owner_kind = 'CronJob'
)
SELECT cluster, namespace, owner_name, count(*) AS runs,
  max(date_diff('second', previous_at, created_at)) AS longest_pause_seconds
FROM runs GROUP BY 1, 2, 3 ORDER BY longest_pause_seconds DESC`,
  },
  {
    name: "failed-runs",
    description: "Failed runs by series, or by kind without one, and who is responsible",
    sql: `WITH ${LATEST_RUNS}
SELECT cluster, namespace, coalesce(series_name, kind) AS series, cause_responsible, cause_category, count(*) AS runs
FROM latest_runs WHERE verdict_state = 'Failed'
GROUP BY 1, 2, 3, 4, 5 ORDER BY runs DESC, series`,
  },
  {
    name: "what-one-job-did",
    description: "Every fact about one Job, in order of time. Replace UID by the uid of the Job",
    sql: `SELECT time, kind, pod_uid, fact
FROM facts WHERE job_uid = 'UID' AND ${SINCE}
ORDER BY time, resource_version`,
  },
];
