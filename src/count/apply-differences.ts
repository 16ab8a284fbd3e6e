import pLimit from "p-limit";
import type { ClusterName } from "../job/model/ids.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import type { Coarseness } from "./coarseness.ts";
import type { HourDifference } from "./count-batch.ts";
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
  type SumsOf,
  writeSum,
} from "./sums.ts";

/** Sums that are written at the same time: a burst takes far less than a partition accepts. */
const AT_ONCE = 16;

export interface CountedProjection {
  readonly meta: MetaStore;
  readonly projection: ProjectionName;
}

/**
 * Adds the differences of a round to the sums of their hours, and to those of their days that contain the hour. A sum
 * that already contains the round is not changed, so that an interrupted round can be applied again.
 */
export async function applyDifferences(
  counted: CountedProjection,
  round: number,
  differences: readonly HourDifference[],
): Promise<void> {
  const limit = pLimit(AT_ONCE);
  const added = await limit.map(differences, async (difference) => ({
    ...difference,
    coarse: await addToHour({ ...counted, cluster: difference.cluster }, round, difference),
  }));
  const days = [...byDay(added).values()];
  const sums = days.flatMap((day) => DAY_SUMS.map((by) => ({ ...day, by })));
  await limit.map(sums, ({ cluster, day, by, hours }) =>
    addToDay({ ...counted, cluster }, { key: dayKey({ ...counted, cluster }, by, day), by, round }, hours),
  );
}

/** Returns how coarse the sum is. */
async function addToHour(of: SumsOf, round: number, { hour, table }: HourDifference): Promise<Coarseness> {
  const key = hourKey(of, hour);
  const sum = await readSum(of, key);
  if (sum.round >= round) return sum.coarse;
  return writeSum(of, key, { ...plus(sum, { table, coarse: 0 }), round });
}

/** A difference, and how coarse the sum of its hour is. */
interface AddedDifference extends HourDifference {
  readonly coarse: Coarseness;
}

interface DayDifference {
  readonly cluster: ClusterName;
  readonly day: string;
  readonly hours: AddedDifference[];
}

function byDay(differences: readonly AddedDifference[]): ReadonlyMap<string, DayDifference> {
  const days = new Map<string, DayDifference>();
  for (const difference of differences) {
    const { cluster, hour } = difference;
    const day = dayOf(hour);
    const known = days.get(`${cluster}#${day}`) ?? { cluster, day, hours: [] };
    known.hours.push(difference);
    days.set(`${cluster}#${day}`, known);
  }
  return days;
}

interface DayRound {
  readonly key: string;
  readonly by: DaySum;
  readonly round: number;
}

/**
 * Hours that lose Jobs leave the sum of their day: where Jobs expire or are deleted one after the other, only the sums
 * of hours are written from then on.
 */
async function addToDay(of: SumsOf, { key, by, round }: DayRound, changed: readonly AddedDifference[]): Promise<void> {
  let sum = await readSum(of, key);
  const contained = changed.filter(({ hour }) => (sum.hours & hourBit(hour)) !== 0);
  if (sum.round >= round || contained.length === 0) return;
  for (const { hour, table, coarse } of contained) {
    const inSum = coarseInDay(by, coarse);
    if (table.jobs >= 0) {
      sum = plus(sum, { table: inDay(by, hour, table), coarse: inSum });
      continue;
    }
    // The sum of the hour has the differences of this round already.
    const whole = plus(await readSum(of, hourKey(of, hour)), { table, coarse }, -1);
    sum = plus(sum, { table: inDay(by, hour, whole.table), coarse: inSum }, -1);
    sum = { ...sum, hours: sum.hours & ~hourBit(hour) };
  }
  await writeSum(of, key, { ...sum, round });
}
