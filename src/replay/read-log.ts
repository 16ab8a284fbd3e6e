import { decodeClusterName } from "../job/model/ids.ts";
import { listRecords } from "../ports/list-records.ts";
import type { Log, LogDay, LogHour, LogItem, LogKey, LogPack } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logDayKey, logHourKey, logHourOf } from "../ports/meta-key.ts";

/** Items per request. */
const PAGE = 32;

/** The days with log items, oldest first within each cluster; only those after `from` if given. */
export async function* logDays(meta: MetaStore, from?: LogDay): AsyncGenerator<LogDay> {
  const after = from && logDayKey(from.cluster, from.day);
  for await (const { key } of listRecords(meta, "logDay", { prefix: "", after })) {
    const [name, day] = key.split("#");
    const cluster = decodeClusterName(name);
    if (cluster !== undefined && day !== undefined) yield { cluster, day };
  }
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

/** Packs per request: below 1 MB, where DynamoDB ends a page by itself. */
const PACKS = 32;

/** Yields the packs of an hour of a shard in order of arrival. Starts after the sort key `after`, if given. */
export async function* readWholeHour(log: Log, hour: LogHour, after?: string): AsyncGenerator<LogPack> {
  let next = after;
  do {
    const page = await log.packs?.readHour(hour, { limit: PACKS, ...(next !== undefined && { after: next }) });
    yield* page?.packs ?? [];
    next = page?.next;
  } while (next !== undefined);
}

/**
 * Every segment of the log, in both layouts: the days of each cluster, then the hours of the shards. A segment that was
 * delivered twice may be in two packs.
 */
export async function* readWholeLog({ log, meta }: LogStores): AsyncGenerator<readonly LogItem[]> {
  for await (const day of logDays(meta)) yield* readWholeDay(log, day);
  for await (const hour of logHours(meta)) for await (const { items } of readWholeHour(log, hour)) yield items;
}

interface LogStores {
  readonly log: Log;
  readonly meta: MetaStore;
}
