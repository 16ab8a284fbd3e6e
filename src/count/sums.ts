import type { ClusterName } from "../job/model/ids.ts";
import { DAY_MILLIS, dayBegin, HOUR_MILLIS, type Instant, utcDay } from "../job/model/instant.ts";
import type { MetaStore } from "../ports/meta.ts";
import { dayCountsKey, hourCountsKey } from "../ports/meta-key.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { countSum } from "./count-records.ts";
import { readRecord, writeRecord } from "../ports/records/record-codec.ts";
import { hourBegin, utcHour } from "../segment/pack-key.ts";
import { CountTable } from "./count-table.ts";
import { type Coarseness, coarsened, coarser } from "./coarseness.ts";
import { packTable, unpackTable } from "./table-text.ts";
import { SumsConflictError, SumsUnreadableError } from "./metrics/sums/sums-errors.ts";

/** Where the sums of a cluster are. */
export interface SumsOf {
  readonly meta: MetaStore;
  readonly projection: ProjectionName;
  readonly cluster: ClusterName;
}

/**
 * Each hour of a cluster has one sum, by namespace and owner. The hours that have ended are also in three sums of their
 * day: by namespace, by namespace and owner, and by hour.
 */
export const DAY_SUMS = ["namespace", "owner", "hour"] as const;
export type DaySum = (typeof DAY_SUMS)[number];

/** A sum that was read, or an empty one. */
export interface StoredSum {
  readonly table: CountTable;
  readonly round: number;
  /** Only for the sum of a day: the hours that it contains, as bits. */
  readonly hours: number;
  readonly coarse: Coarseness;
  /** 0 if it was never written. */
  readonly version: number;
}

export function hourKey({ cluster, projection }: SumsOf, hour: Instant): string {
  return hourCountsKey(cluster, projection, utcHour(hour));
}

export function dayKey({ cluster, projection }: SumsOf, by: DaySum, day: string): string {
  return dayCountsKey(cluster, projection, by)(day);
}

export async function readSum({ meta }: SumsOf, key: string): Promise<StoredSum> {
  const record = await readRecord(meta, countSum, key);
  if (record === undefined) return { table: new CountTable(), round: 0, hours: 0, coarse: 0, version: 0 };
  const { round, hours = 0, coarse = 0 } = record.value;
  return { table: tableIn(key, record.value.table), round, hours, coarse, version: record.version };
}

/** The counts in a record. Throws {@link SumsUnreadableError}. */
export function tableIn(key: string, text: string): CountTable {
  const table = unpackTable(text);
  if (table === undefined) throw new SumsUnreadableError(key);
  return table;
}

/** An item of DynamoDB has at most 400 KB, its other attributes included. */
const MOST_CHARACTERS = 350_000;
/** Packing more takes seconds and some ten megabytes, whatever its size is then. */
const MOST_CELLS = 50_000;

/**
 * A sum without Jobs is equivalent to a missing one. It is kept for longer than a stream keeps its records, so that no
 * round that it contains can be applied again.
 */
const EMPTY_DAYS = 35;

/**
 * Writes a sum, coarser if it would be too large, and returns how coarse it is. Throws {@link SumsConflictError} where
 * the stored version is another one.
 */
export async function writeSum({ meta }: SumsOf, key: string, sum: StoredSum): Promise<Coarseness> {
  const { round, hours, version } = sum;
  const { text, coarse } = packed(sum);
  const value = { round, table: text, ...(hours !== 0 && { hours }), ...(coarse !== 0 && { coarse }) };
  const lifetime = sum.table.isEmpty && hours === 0 ? { lifetimeDays: EMPTY_DAYS } : {};
  const { outcome } = await writeRecord(meta, countSum, { key, value, expected: version, ...lifetime });
  if (outcome === "conflict") throw new SumsConflictError(key);
  return coarse;
}

function packed({ table, coarse }: Pick<StoredSum, "table" | "coarse">) {
  if (table.cells().length <= MOST_CELLS || coarse === 2) {
    const text = packTable(table);
    if (text.length <= MOST_CHARACTERS || coarse === 2) return { text, coarse };
  }
  const next = coarser(coarse);
  return packed({ table: coarsened(table, next), coarse: next });
}

/** A sum with a table added, or subtracted if `times` is -1, as coarse as the coarser of both. */
export function plus(sum: StoredSum, added: Summand, times: 1 | -1 = 1): StoredSum {
  const coarse = Math.max(sum.coarse, added.coarse) as Coarseness;
  const table = CountTable.of(coarsened(sum.table, coarse).cells());
  table.addTable(coarsened(added.table, coarse), times);
  return { ...sum, table, coarse };
}

export interface Summand {
  readonly table: CountTable;
  readonly coarse: Coarseness;
}

/**
 * The coarseness of a day's sum that contains an hour of this coarseness. The sum by hour distinguishes neither owners
 * nor namespaces.
 */
export function coarseInDay(by: DaySum, coarse: Coarseness): Coarseness {
  return by === "hour" ? 0 : coarse;
}

/** The cells of an hour as a sum of its day groups them. */
export function inDay(by: DaySum, hour: Instant, table: CountTable): CountTable {
  switch (by) {
    case "namespace":
      return table.renamed(({ namespace }) => ({ namespace, group: "" }));
    case "owner":
      return table;
    case "hour":
      return table.renamed(() => ({ namespace: "", group: String(hour) }));
  }
}

/** The bit of an hour in its day. */
export function hourBit(hour: Instant): number {
  return 1 << Math.floor((((hour % DAY_MILLIS) + DAY_MILLIS) % DAY_MILLIS) / HOUR_MILLIS);
}

/** The hours of a day that the bits name, as instants. */
export function hoursIn(day: string, bits: number): readonly Instant[] {
  const begin = dayBegin(day) ?? 0;
  return Array.from({ length: 24 }, (_, index) => begin + index * HOUR_MILLIS).filter(
    (hour) => (hourBit(hour) & bits) !== 0,
  );
}

/** The UTC day of an hour. */
export function dayOf(hour: Instant): string {
  return utcDay(hour);
}

/** The hour of a key that {@link hourKey} made; `undefined` if it is no such key. */
export function hourOfKey(key: string): Instant | undefined {
  return hourBegin(key.slice(key.lastIndexOf("#") + 1));
}
