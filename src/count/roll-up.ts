import pLimit from "p-limit";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import type { CountedProjection } from "./apply-differences.ts";
import {
  coarseInDay,
  DAY_SUMS,
  type DaySum,
  dayKey,
  dayOf,
  hourBit,
  hourKey,
  inDay,
  plus,
  readSum,
  type Summand,
  type SumsOf,
  writeSum,
} from "./sums.ts";

const CLUSTERS_AT_ONCE = 8;

export interface RolledHour {
  readonly hour: Instant;
  /** The last round of counting. The sums of the hour contain the Jobs of all rounds up to it. */
  readonly round: number;
}

/**
 * Adds an hour that has ended to the sums of its day, for each cluster that had Jobs in it. An hour that they already
 * contain changes nothing. No other process may change sums at the same time.
 */
export async function rollUp(
  counted: CountedProjection,
  clusters: readonly ClusterName[],
  rolled: RolledHour,
): Promise<void> {
  await pLimit(CLUSTERS_AT_ONCE).map(clusters, async (cluster) => {
    const of = { ...counted, cluster };
    const { table, coarse } = await readSum(of, hourKey(of, rolled.hour));
    if (!table.isEmpty) for (const by of DAY_SUMS) await addHour(of, by, { ...rolled, table, coarse });
  });
}

async function addHour(of: SumsOf, by: DaySum, { hour, round, table, coarse }: RolledHour & Summand): Promise<void> {
  const key = dayKey(of, by, dayOf(hour));
  const sum = await readSum(of, key);
  if ((sum.hours & hourBit(hour)) !== 0) return;
  const added = plus(sum, { table: inDay(by, hour, table), coarse: coarseInDay(by, coarse) });
  await writeSum(of, key, { ...added, hours: sum.hours | hourBit(hour), round });
}
