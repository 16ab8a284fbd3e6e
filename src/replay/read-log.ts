import { decodeClusterName } from "../job/model/ids.ts";
import { listRecords } from "../ports/list-records.ts";
import type { Log, LogDay, LogItem, LogKey } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import { logDayKey } from "../ports/meta-key.ts";

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
