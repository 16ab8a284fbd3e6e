import { DAY_MILLIS, dayStart, EARLIEST, HOUR_MILLIS, type Instant, LATEST } from "../job/model/instant.ts";
import type { CountTable } from "./count-table.ts";
import type { CountCell, CountedHours } from "../ports/sums/job-sums.ts";
import { listDays, listHours, type SumOfDay } from "./list-sums.ts";
import { dayOf, hoursIn, inDay, type SumsOf } from "./sums.ts";

/** Up to this number, ranges of hours are read one by one. More ranges are read as one, with the hours in between. */
const MOST_RANGES = 3;

/**
 * The counts of Jobs that were created in these hours. Whole days are read from their sums, as far as these have their
 * hours; the other hours from their own.
 */
export async function* readCounts(of: SumsOf, hours: CountedHours): AsyncGenerator<CountCell> {
  const covered = new Set<Instant>();
  for await (const { day, table, hours: bits } of daysOf(of, hours)) {
    const within = hoursIn(day, bits);
    for (const hour of within) covered.add(hour);
    for (const cell of table.cells()) yield grouped(cell, hours, within[0] ?? 0);
  }
  for (const range of rangesBetween(covered, hours)) {
    for await (const { hour, table } of listHours(of, range)) {
      const cells = covered.has(hour) ? [] : ofHour(table, hours, hour).cells();
      for (const cell of cells) yield grouped(cell, hours, hour);
    }
  }
}

/** The sums of whole days. A sum groups either by hour or by namespace, never by both. */
async function* daysOf(of: SumsOf, hours: CountedHours): AsyncGenerator<SumOfDay> {
  const { by, withNamespaces = false } = hours;
  if (by !== "hour" || !withNamespaces) yield* listDays(of, by, wholeDays(hours));
}

function ofHour(table: CountTable, { by, withNamespaces = false }: CountedHours, hour: Instant): CountTable {
  const isDetailed = by === "hour" && withNamespaces;
  return isDetailed ? table.renamed(({ namespace }) => ({ namespace, group: String(hour) })) : inDay(by, hour, table);
}

function grouped(cell: CountCell, { byDay = false }: CountedHours, at: Instant): CountCell {
  return byDay ? { ...cell, group: String(dayStart(at)) } : cell;
}

/** The days that are wholly in the range. */
function wholeDays({ from, to }: CountedHours): { readonly from: string; readonly to: string } {
  const begin = Math.ceil(Math.max(from, EARLIEST) / DAY_MILLIS) * DAY_MILLIS;
  const end = dayStart(Math.min(to, LATEST));
  return { from: dayOf(begin), to: dayOf(end) };
}

interface HourRange {
  readonly from: Instant;
  readonly to: Instant;
}

/** The ranges of hours that are not covered. */
function rangesBetween(covered: ReadonlySet<Instant>, { from, to }: HourRange): readonly HourRange[] {
  const ranges: HourRange[] = [];
  let begin = from;
  for (const hour of [...covered].sort((a, b) => a - b)) {
    if (hour > begin) ranges.push({ from: begin, to: hour });
    begin = hour + HOUR_MILLIS;
  }
  if (begin < to) ranges.push({ from: begin, to });
  return ranges.length > MOST_RANGES ? [{ from, to }] : ranges;
}
