import { formatMillis } from "../../../job/model/instant.ts";
import { listRecords } from "../../../ports/list-records.ts";
import type { Log, LogDay, LogItem } from "../../../ports/log.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import { logDayKey, ofCluster } from "../../../ports/meta-key.ts";
import { hourBegin, utcHour } from "../../../segment/pack-key.ts";
import { mergedHours, type PackSpan, readMergedHour, readWholeDay } from "../../../log/read-log.ts";
import type { LogUnit } from "./replay-unit.ts";

/** Items that are processed together. */
export interface LogBatch {
  readonly items: readonly LogItem[];
  /** Where the unit continues after them. */
  readonly place: string;
}

export interface UnitStores {
  readonly log: Log;
  readonly meta: MetaStore;
  /** The facts of a batch. @default 20,000 */
  readonly factsAtOnce?: number;
}

/** Facts processed together: a Job's state is written once for all of them. They take 0.1 GB of memory at most. */
const FACTS_AT_ONCE = 20_000;

/** The items of a unit after `place`, in batches. */
export function readUnit(stores: UnitStores, unit: LogUnit, place?: string): AsyncGenerator<LogBatch> {
  const { factsAtOnce = FACTS_AT_ONCE } = stores;
  switch (unit.kind) {
    case "days":
      return inBatches(itemsOfDays(stores, unit, place), factsAtOnce);
    case "packs":
      return inBatches(itemsOfPacks(stores, unit, place), factsAtOnce);
  }
}

type DaysUnit = Extract<LogUnit, { readonly kind: "days" }>;

async function* itemsOfDays({ log, meta }: UnitStores, unit: DaysUnit, place = " "): AsyncGenerator<LogBatch> {
  const [pk = "", sk = ""] = place.split(" ");
  for await (const day of daysOf(meta, unit)) {
    const key = logDayKey(day.cluster, day.day);
    if (key < pk) continue;
    for await (const page of readWholeDay(log, day, key === pk ? { pk, sk } : undefined)) {
      for (const item of page) yield { items: [item], place: `${item.key.pk} ${item.key.sk}` };
    }
  }
}

async function* daysOf(meta: MetaStore, { cluster, from, to }: DaysUnit): AsyncGenerator<LogDay> {
  const prefix = ofCluster(cluster);
  for await (const { key } of listRecords(meta, "logDay", { prefix })) {
    const day = key.slice(prefix.length);
    if (day >= from && day <= to) yield { cluster, day };
  }
}

type PacksUnit = Extract<LogUnit, { readonly kind: "packs" }>;

/**
 * The position of a pack, by arrival across all shards, so that the segments of a Job are close together. The position
 * includes the hour: segments of an archived hour are ordered by their sealing, which may be in an earlier hour.
 */
async function* itemsOfPacks({ log, meta }: UnitStores, unit: PacksUnit, place = " "): AsyncGenerator<LogBatch> {
  const [reached = "", sk = ""] = place.split(" ");
  for await (const shards of mergedHours(meta, utcHour(unit.from - HOUR_MILLIS))) {
    const [{ hour } = { hour: "" }] = shards;
    const span = spanOf(unit, hour);
    if (span === undefined) return;
    if (hour < reached) continue;
    const left = hour === reached ? { ...span, after: sk } : span;
    for await (const pack of readMergedHour(log, shards, left)) {
      yield { items: pack.items, place: `${hour} ${pack.sk}` };
    }
  }
}

/**
 * Which packs of an hour belong to a unit; `undefined` for an hour after it. Without a limit if the unit begins or ends
 * at a whole hour.
 */
function spanOf({ from, to }: PacksUnit, hour: string): PackSpan | undefined {
  const begin = hourBegin(hour) ?? 0;
  if (begin >= to) return undefined;
  return {
    ...(from > begin && { after: `${formatMillis(from)}#` }),
    ...(to < begin + HOUR_MILLIS && { before: `${formatMillis(to)}#` }),
  };
}

const HOUR_MILLIS = 3_600_000;

async function* inBatches(some: AsyncIterable<LogBatch>, factsAtOnce: number): AsyncGenerator<LogBatch> {
  let items: LogItem[] = [];
  let facts = 0;
  let last: string | undefined;
  for await (const { items: more, place } of some) {
    items.push(...more);
    last = place;
    facts += more.reduce((sum, { factCount }) => sum + factCount, 0);
    if (facts < factsAtOnce) continue;
    yield { items, place };
    items = [];
    facts = 0;
  }
  if (items.length > 0 && last !== undefined) yield { items, place: last };
}
