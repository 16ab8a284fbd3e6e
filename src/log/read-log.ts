import { compareText } from "../job/model/compare-text.ts";
import { decodeClusterName } from "../job/model/ids.ts";
import { dayBegin, formatMillis, type Instant } from "../job/model/instant.ts";
import { listRecords } from "../ports/list-records.ts";
import type { Log, LogDay, LogHour, LogItem, LogKey, LogPack, PackRange } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logDayKey, logHourKey, logHourOf } from "../ports/meta-key.ts";
import { decodeHourPartition, MAX_SHARDS, packArrivedAt, utcHour } from "../segment/pack-key.ts";

/** Items per request. */
const PAGE = 32;

/** The days with log items, oldest first within each cluster; only those after `from` if given. */
export async function* logDays(meta: MetaStore, from?: LogDay): AsyncGenerator<LogDay> {
  const after = from && logDayKey(from.cluster, from.day);
  for await (const { key } of listRecords(meta, "logDay", { prefix: "", after })) {
    const day = logDayOf(key);
    if (day !== undefined) yield day;
  }
}

/** The day of a record's key, which is the partition of its items; `undefined` if damage made it none. */
export function logDayOf(key: string): LogDay | undefined {
  const [name, day] = key.split("#");
  const cluster = decodeClusterName(name);
  const isDay = day !== undefined && dayBegin(day) !== undefined;
  return cluster === undefined || !isDay ? undefined : { cluster, day };
}

/** Yields the items of a day in pages, in key order. Starts after the key `after`, if given. */
export async function* readWholeDay(log: Log, day: LogDay, after?: LogKey): AsyncGenerator<readonly LogItem[]> {
  let page = await log.readDay(day, { limit: PAGE, ...(after && { after }) });
  yield page.items;
  while (page.next !== undefined) {
    page = await log.readDay(day, { limit: PAGE, after: page.next });
    yield page.items;
  }
}

/** The hours with packs, oldest first, and the shards of an hour in order; only those after `from` if given. */
export async function* logHours(meta: MetaStore, from?: LogHour): AsyncGenerator<LogHour> {
  const after = from && logHourKey(from);
  for await (const { key } of listRecords(meta, "logHour", { prefix: "", after })) yield logHourOf(key);
}

/** The shards that have packs of an hour (`yyyymmddhh`). */
export async function shardsOfHour(meta: MetaStore, hour: string): Promise<readonly LogHour[]> {
  const shards: LogHour[] = [];
  for await (const { key } of listRecords(meta, "logHour", { prefix: `${hour}#` })) shards.push(logHourOf(key));
  return shards;
}

/** Packs per request: below 1 MB, where DynamoDB ends a page by itself. */
const PACKS = 32;

/** Which packs of an hour to read: all, or those after and before some sort keys or prefixes. */
export type PackSpan = Pick<PackRange, "after" | "before">;

/** Yields the packs of an hour of a shard in order of arrival. */
export async function* readWholeHour(log: Log, hour: LogHour, span: PackSpan = {}): AsyncGenerator<LogPack> {
  let next = span.after;
  do {
    const range = { ...span, limit: PACKS, ...(next !== undefined && { after: next }) };
    const page = await log.packs?.readHour(hour, range);
    yield* page?.packs ?? [];
    next = page?.next;
  } while (next !== undefined);
}

/**
 * The items under a key: one segment, or all segments of a pack whose own key it is. A projector of an earlier release,
 * which cannot read a pack, queues the pack's key.
 */
export async function readItems(log: Log, key: LogKey): Promise<readonly LogItem[]> {
  const hour = decodeHourPartition(key.pk);
  if (hour !== undefined) {
    const range = { after: `${formatMillis(packArrivedAt(key.sk))}#`, before: `${key.sk}~`, limit: PACKS };
    const page = await log.packs?.readHour(hour, range);
    return page?.packs.find(({ sk }) => sk === key.sk)?.items ?? [];
  }
  const item = await log.read(key);
  return item === undefined ? [] : [item];
}

/** Whether the log has a segment, as an item of its own or in a pack that arrived at `from` or later. */
export async function isLogged(
  { log, meta }: { readonly log: Log; readonly meta: MetaStore },
  key: LogKey,
  from: Instant,
): Promise<boolean> {
  if ((await log.read(key)) !== undefined) return true;
  for await (const hour of logHours(meta, { hour: utcHour(from), shard: -1 })) {
    for await (const { items } of readWholeHour(log, hour, { after: formatMillis(from) })) {
      if (items.some((item) => item.key.pk === key.pk && item.key.sk === key.sk)) return true;
    }
  }
  return false;
}

/** The packs of all shards of one UTC hour, in order of arrival. */
export async function* readMergedHour(
  log: Log,
  shards: readonly LogHour[],
  span: PackSpan = {},
): AsyncGenerator<LogPack> {
  const streams = shards.map((hour) => readWholeHour(log, hour, span));
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, next: await stream.next() })));
  for (;;) {
    const left = heads.flatMap((head) => (head.next.done === true ? [] : [{ head, pack: head.next.value }]));
    const [first] = left.sort((a, b) => compareText(a.pack.sk, b.pack.sk));
    if (first === undefined) return;
    yield first.pack;
    first.head.next = await first.head.stream.next();
  }
}

/** The hours with packs after `from`, each with its shards. */
export async function* mergedHours(meta: MetaStore, from?: string): AsyncGenerator<readonly LogHour[]> {
  let shards: LogHour[] = [];
  for await (const hour of logHours(meta, from === undefined ? undefined : { hour: from, shard: MAX_SHARDS })) {
    if (shards[0] !== undefined && shards[0].hour !== hour.hour) {
      yield shards;
      shards = [];
    }
    shards.push(hour);
  }
  if (shards.length > 0) yield shards;
}

/**
 * Every segment of the log, in both layouts: the days of each cluster, then the hours of the shards. A segment that was
 * delivered twice may be in two packs.
 */
export async function* readWholeLog({ log, meta }: LogStores): AsyncGenerator<readonly LogItem[]> {
  for await (const day of logDays(meta)) yield* readWholeDay(log, day);
  for await (const shards of mergedHours(meta)) {
    for await (const { items } of readMergedHour(log, shards)) yield items;
  }
}

interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}
