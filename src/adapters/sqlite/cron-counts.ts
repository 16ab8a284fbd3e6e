import { labelValue } from "../../ports/bounded-labels.ts";
import { packedJson } from "../../ports/sums/packed-text.ts";
import { type Connection, numberOf, textOf } from "./connection.ts";
import { parseAmounts, seriesOf } from "./metric-amounts.ts";
import { findSeries } from "./metric-series.ts";

/** The first schema in which CronJobs have records of what they have counted. */
export const CRON_COUNTS_SINCE = 8;

/** The families to which CronJobs contributed (src/count/metrics/metric-families.ts). Jobs have findings as well. */
const FINDINGS = 6;
const FINDINGS_TOTAL = 7;
const MISSED_RUNS = 10;

/** What a CronJob had contributed. */
interface Contributed {
  readonly uid: string;
  missed: number;
  /** Its last missed run. */
  until: number;
  /** The namespace and the name of the series that has its missed runs. */
  labels: { readonly namespace: string; readonly cronJob: string } | undefined;
  readonly kinds: Set<string>;
  readonly open: Set<string>;
}

/** Sums of CronJobs whose subjects are gone. */
interface Ended {
  readonly namespace: string;
  readonly cronJob?: string;
  readonly kind?: string;
  readonly count: number;
}

/**
 * Makes what CronJobs have counted records of kind `cronCounts` (src/count/metrics/schedules). Until schema 7, each due
 * time and each CronJob with findings was a subject whose amounts were in the sums of series. No number that a scrape
 * shows changes.
 */
export function moveCronCounts(connection: Connection): void {
  const sql = `SELECT cluster FROM metric_subjects WHERE ${OF_CRON_JOBS}
    UNION SELECT labels ->> '$.cluster' FROM metric_series WHERE family = ?`;
  for (const row of connection.all(sql, MISSED_RUNS)) moveCluster(connection, textOf(row, "cluster"));
  connection.run(`DELETE FROM metric_subjects WHERE ${OF_CRON_JOBS}`);
  connection.run(`DELETE FROM metric_values WHERE series IN (${SERIES_OF_FAMILY})`, MISSED_RUNS);
  connection.run("DELETE FROM metric_series WHERE family = ?", MISSED_RUNS);
}

const OF_CRON_JOBS = "(subject GLOB 'missed/*' OR subject GLOB 'cronfindings/*')";
const SERIES_OF_FAMILY = "SELECT id FROM metric_series WHERE family = ?";

function moveCluster(connection: Connection, cluster: string): void {
  const contributed = contributions(connection, cluster);
  const named = contributed.map((one) => ({ ...one, named: nameOf(connection, cluster, one.uid) }));
  const known = named.filter((one) => one.named !== undefined);
  const { ended, late } = missedRuns(connection, cluster, known);
  // CronJobs without a record were deleted long ago: only their counts stay.
  for (const { kinds, labels, named: name } of named) {
    if (name === undefined && labels !== undefined) {
      ended.push(...Array.from(kinds, (kind) => ({ namespace: labels.namespace, kind, count: 1 })));
    }
  }
  const parts = Map.groupBy(known, ({ uid }) => uid.slice(0, 1));
  if (ended.length > 0 && parts.size === 0) parts.set("0", []);
  const [first] = parts.keys();
  for (const [digit, cronJobs] of parts) {
    const part = {
      cronJobs: cronJobs.flatMap((one) => countedCronJob(one, late.get(one.uid) ?? 0)),
      ended: digit === first ? ended : [],
    };
    connection.run(WRITE_PART, `${cluster}#${digit}`, JSON.stringify({ part: packedJson(part) }));
  }
}

const WRITE_PART = `INSERT INTO meta (kind, key, version, value, checksum)
  VALUES ('cronCounts', ?1, 1, ?2, row_checksum('cronCounts', ?1, 1, ?2))`;

interface Named extends Contributed {
  readonly named: { readonly namespace: string; readonly name: string } | undefined;
}

function countedCronJob({ uid, named, missed, until, labels, kinds, open }: Named, late: number): readonly object[] {
  if (named === undefined) return [];
  const own = { namespace: named.namespace, cronJob: labelValue(named.name) };
  const isOwn = labels === undefined || (labels.namespace === own.namespace && labels.cronJob === own.cronJob);
  return [
    {
      uid,
      ...named,
      missed,
      recent: [],
      until,
      shown: missed + late,
      kinds: [...kinds].sort(),
      open: [...open].sort(),
      ...(!isOwn && { shownAs: labels }),
    },
  ];
}

/** What CronJobs have contributed, by uid. Takes their findings out of the sums that Jobs share. */
function contributions(connection: Connection, cluster: string): readonly Contributed[] {
  const all = new Map<string, Contributed>();
  const sql = `SELECT subject, amounts FROM metric_subjects WHERE cluster = ? AND ${OF_CRON_JOBS}`;
  for (const row of connection.all(sql, cluster)) {
    const [, uid = "", minute] = textOf(row, "subject").split("/");
    const one = all.get(uid) ?? { ...NOTHING, uid, kinds: new Set<string>(), open: new Set<string>() };
    all.set(uid, one);
    for (const key of parseAmounts(textOf(row, "amounts")).keys()) {
      add(connection, one, { id: seriesOf(key), minute: Number(minute) });
    }
  }
  return [...all.values()];
}

const NOTHING = { missed: 0, until: 0, labels: undefined } as const;

function add(connection: Connection, one: Contributed, amount: { readonly id: number; readonly minute: number }): void {
  const { family, labels = {} } = findSeries(connection, amount.id) ?? {};
  const { namespace = "", cronjob: cronJob, kind = "" } = labels;
  if (family === MISSED_RUNS && cronJob !== undefined) {
    one.missed += 1;
    one.until = Math.max(one.until, amount.minute * 60_000);
    one.labels = { namespace, cronJob };
    return;
  }
  if (family === FINDINGS) one.open.add(kind);
  if (family === FINDINGS_TOTAL) one.kinds.add(kind);
  connection.run(TAKE_BACK, amount.id);
  connection.run(SET_CHECKSUM, amount.id);
}

const TAKE_BACK = "UPDATE metric_values SET value = value - 1, shown = max(shown - 1, 0) WHERE series = ? AND part = 0";
const SET_CHECKSUM = `UPDATE metric_values SET checksum = row_checksum(series, part, value, shown)
  WHERE series = ? AND part = 0`;

/** The sums of missed runs beyond those of known CronJobs, and by how much more was shown of some CronJobs. */
function missedRuns(connection: Connection, cluster: string, known: readonly Named[]) {
  const ended: Ended[] = [];
  const late = new Map<string, number>();
  const sql = `SELECT labels ->> '$.namespace' AS namespace, labels ->> '$.cronjob' AS cronjob, value,
      max(coalesce(shown, 0), value) AS shown
    FROM metric_series JOIN metric_values ON series = id
    WHERE family = ? AND labels ->> '$.cluster' = ?`;
  for (const row of connection.all(sql, MISSED_RUNS, cluster)) {
    const [namespace, cronJob] = [textOf(row, "namespace"), textOf(row, "cronjob")];
    const own = known.filter(({ labels }) => labels?.namespace === namespace && labels.cronJob === cronJob);
    const count = numberOf(row, "value") - own.reduce((sum, { missed }) => sum + missed, 0);
    const more = numberOf(row, "shown") - numberOf(row, "value");
    const [first] = own;
    if (first !== undefined) late.set(first.uid, more);
    const left = first === undefined ? count + more : count;
    if (left > 0) ended.push({ namespace, cronJob, count: left });
  }
  return { ended, late };
}

function nameOf(connection: Connection, cluster: string, uid: string): Named["named"] {
  const row = connection.get(NAME, `${cluster}#${uid}`);
  return row && { namespace: textOf(row, "namespace"), name: textOf(row, "name") };
}

const NAME = `SELECT known ->> '$.namespace' AS namespace, known ->> '$.name' AS name
  FROM (SELECT coalesce(value -> '$.observed', value -> '$.deleted') AS known
    FROM meta WHERE kind = 'cronjob' AND key = ? AND json_valid(value))
  WHERE known IS NOT NULL`;
