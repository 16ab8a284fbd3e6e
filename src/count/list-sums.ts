import type { Instant } from "../job/model/instant.ts";
import type { MetaRecord } from "../ports/meta.ts";
import { countSum } from "./count-records.ts";
import { hourCountsKey } from "../ports/meta-key.ts";
import type { CountTable } from "./count-table.ts";
import { type DaySum, dayKey, hourKey, hourOfKey, type SumsOf, tableIn } from "./sums.ts";

/** A time range; its ends are optional. */
export interface SumRange<At> {
  readonly from?: At | undefined;
  /** Exclusive. */
  readonly to?: At | undefined;
}

const PAGE = 100;

/** The sums of the hours in a range, by time. */
export async function* listHours(
  of: SumsOf,
  { from, to }: SumRange<Instant>,
): AsyncGenerator<{ readonly hour: Instant; readonly table: CountTable }> {
  const keyOf = (hour: Instant | undefined) => (hour === undefined ? undefined : hourKey(of, hour));
  const keys = { from: keyOf(from), to: keyOf(to) };
  for await (const record of listRange(of, hourCountsKey(of.cluster, of.projection, ""), keys)) {
    const hour = hourOfKey(record.key);
    if (hour !== undefined) yield { hour, table: tableIn(record.key, countSum.decode(record).table) };
  }
}

export interface SumOfDay {
  readonly day: string;
  /** The hours of the day that the sum contains, as bits. */
  readonly hours: number;
  readonly table: CountTable;
}

/** The sums of the days in a range, by time. */
export async function* listDays(of: SumsOf, by: DaySum, { from, to }: SumRange<string>): AsyncGenerator<SumOfDay> {
  const prefix = dayKey(of, by, "");
  const keyOf = (day: string | undefined) => (day === undefined ? undefined : dayKey(of, by, day));
  const keys = { from: keyOf(from), to: keyOf(to) };
  for await (const record of listRange(of, prefix, keys)) {
    const { table, hours = 0 } = countSum.decode(record);
    yield { day: record.key.slice(prefix.length), hours, table: tableIn(record.key, table) };
  }
}

/** Sums are as of some minutes ago anyway, so an eventually consistent read suffices. */
export async function* listRange(
  { meta }: Pick<SumsOf, "meta">,
  prefix: string,
  { from, to }: SumRange<string>,
): AsyncGenerator<MetaRecord> {
  // Neither bound is the key of a record: stores differ in whether they include it.
  let after = from === undefined ? prefix : justBefore(from);
  const before = to === undefined ? `${prefix}~` : justBefore(to);
  // DynamoDB rejects a range that ends before it begins.
  while (after < before) {
    const page = await meta.list("counts", { prefix, after, before, limit: PAGE, isEventual: true });
    yield* page.records;
    if (page.next === undefined) return;
    after = page.next;
  }
}

/** A text before a key that ends in digits, and after every shorter time. */
function justBefore(key: string): string {
  const last = key.charCodeAt(key.length - 1);
  return `${key.slice(0, -1)}${String.fromCharCode(last - 1)}~`;
}
