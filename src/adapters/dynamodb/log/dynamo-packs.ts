import type { LogHour, LogItem, LogKey, PackedLog, PackPage, PackPlace, PackRange } from "../../../ports/log.ts";
import { PACK_DEADLINE_MS } from "../../../ports/log.ts";
import { formatMillis } from "../../../job/model/instant.ts";
import { hourPartition, utcHour } from "../../../segment/pack-key.ts";
import { textOf } from "../attribute.ts";
import { type DynamoTable, putItem, queryPage } from "../dynamo-table.ts";
import { fromPack, itemsOfPack } from "./pack-item.ts";

/** The packs in the table of the log, kept for some days each. A pack takes one write unit for each started KB. */
export function createDynamoPacks(table: DynamoTable, logDays: number): PackedLog {
  return {
    append: async (pack) => {
      const signal = AbortSignal.timeout(PACK_DEADLINE_MS);
      await putItem(table, fromPack(pack, logDays), { expression: "attribute_not_exists(pk)", signal });
    },
    readHour: (hour, range) => readHour(table, hour, range),
  };
}

/** Sorts after every sort key that begins with an instant. */
const AFTER_ALL = "~";
/** The most packs that are read for one shard and millisecond. */
const SAME_INSTANT = 20;

/** The segment in a pack at its place; `undefined` if no pack there has it. */
export async function readPacked(
  table: DynamoTable,
  key: LogKey,
  { shard, arrivedAt }: PackPlace,
): Promise<LogItem | undefined> {
  const hour = { shard, hour: utcHour(arrivedAt) };
  const prefix = `${formatMillis(arrivedAt)}#`;
  let after: string | undefined = prefix;
  while (after !== undefined) {
    const page: PackPage = await readHour(table, hour, { after, before: prefix + AFTER_ALL, limit: SAME_INSTANT });
    for (const { items } of page.packs) {
      const found = items.find((item) => item.key.pk === key.pk && item.key.sk === key.sk);
      if (found !== undefined) return found;
    }
    after = page.next;
  }
  return undefined;
}

async function readHour(table: DynamoTable, hour: LogHour, range: PackRange): Promise<PackPage> {
  const { after, before, limit, isEventual = false } = range;
  // DynamoDB refuses a range whose end is before its begin.
  if (after !== undefined && before !== undefined && before <= after) return { packs: [] };
  const keys = { partitionKey: "pk", partition: hourPartition(hour), sortKey: "sk", after, before };
  const page = await queryPage(table, { ...keys, isEventual }, limit);
  const packs = page.items.map((item) => ({ hour, sk: textOf(item, "sk"), items: itemsOfPack(item) }));
  const last = packs.at(-1);
  return page.isMore && last !== undefined ? { packs, next: last.sk } : { packs };
}
