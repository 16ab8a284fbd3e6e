import pLimit from "p-limit";
import type { ClusterName } from "../job/model/ids.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { CountTable } from "./count-table.ts";
import type { HourDifference } from "./differences.ts";
import {
  DAY_SUMS,
  type DaySum,
  dayKey,
  dayOf,
  hourBit,
  hourKey,
  inDay,
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
 * that has the round is left as it is: a round that was interrupted is applied again.
 */
export async function applyDifferences(
  counted: CountedProjection,
  round: number,
  differences: readonly HourDifference[],
): Promise<void> {
  const limit = pLimit(AT_ONCE);
  await limit.map(differences, (difference) =>
    addToHour({ ...counted, cluster: difference.cluster }, round, difference),
  );
  const days = [...byDay(differences).values()];
  const sums = days.flatMap((day) => DAY_SUMS.map((by) => ({ ...day, by })));
  await limit.map(sums, ({ cluster, day, by, hours }) =>
    addToDay({ ...counted, cluster }, { key: dayKey({ ...counted, cluster }, by, day), by, round }, hours),
  );
}

async function addToHour(of: SumsOf, round: number, { hour, table }: HourDifference): Promise<void> {
  const key = hourKey(of, hour);
  const sum = await readSum(of, key);
  if (sum.round >= round) return;
  sum.table.addTable(table);
  await writeSum(of, key, { ...sum, round });
}

interface DayDifference {
  readonly cluster: ClusterName;
  readonly day: string;
  readonly hours: HourDifference[];
}

function byDay(differences: readonly HourDifference[]): ReadonlyMap<string, DayDifference> {
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
async function addToDay(of: SumsOf, { key, by, round }: DayRound, changed: readonly HourDifference[]): Promise<void> {
  const sum = await readSum(of, key);
  const contained = changed.filter(({ hour }) => (sum.hours & hourBit(hour)) !== 0);
  if (sum.round >= round || contained.length === 0) return;
  let { hours } = sum;
  for (const { hour, table } of contained) {
    if (table.jobs >= 0) {
      sum.table.addTable(inDay(by, hour, table));
      continue;
    }
    // The sum of the hour has the differences of this round already.
    const whole = CountTable.of((await readSum(of, hourKey(of, hour))).table.cells());
    whole.addTable(table, -1);
    sum.table.addTable(inDay(by, hour, whole), -1);
    hours &= ~hourBit(hour);
  }
  await writeSum(of, key, { ...sum, hours, round });
}
