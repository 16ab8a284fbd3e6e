import type { JobKey } from "../../../ports/jobs.ts";
import type { Item } from "../attribute.ts";
import { deleteItem, type DynamoTable, putItem, queryPage, versionIs } from "../dynamo-table.ts";
import { keyOfState } from "../jobs/job-item.ts";
import { WIDE_RECORD_PARTITIONS } from "../jobs/list-partition.ts";
import { fromWideRecord, keyOfRecord, readableRecord } from "../jobs/wide-record.ts";

/** Records per query: a query also ends after 1 MB. */
const PAGE = 1_000;

/**
 * Removes Jobs from the records of the wide lists. A record without other Jobs is deleted, and so is an unreadable one,
 * because it may contain the data. Returns how many records were changed.
 */
export async function unlistJobs(table: DynamoTable, isErased: (key: JobKey) => boolean): Promise<number> {
  let changed = 0;
  for (const partition of WIDE_RECORD_PARTITIONS) {
    let startKey: Item | undefined;
    do {
      const page = await queryPage(table, { partitionKey: "pk", partition, sortKey: "sk", startKey }, PAGE);
      for (const item of page.items) if (await unlist(table, item, isErased)) changed += 1;
      startKey = page.last;
    } while (startKey !== undefined);
  }
  return changed;
}

async function unlist(table: DynamoTable, item: Item, isErased: (key: JobKey) => boolean): Promise<boolean> {
  const listed = readableRecord(item);
  const left = listed.filter(({ pk }) => {
    const key = keyOfState(pk);
    return key !== undefined && !isErased(key);
  });
  if (listed.length > 0 && left.length === listed.length) return false;
  // The remains first: no Job is missing from the lists.
  const { ttl } = item;
  if (left.length > 0) await putItem(table, { ...fromWideRecord(left), ...(ttl && { ttl }) }, versionIs(0));
  await deleteItem(table, keyOfRecord(item));
  return true;
}
