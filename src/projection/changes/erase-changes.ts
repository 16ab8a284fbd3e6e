import type { ErasedChanges } from "../../ports/erasing/erasable-views.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaRecord } from "../../ports/meta.ts";
import { changesRecord } from "../../ports/records/changes-record.ts";
import { packChanges, unpackChanges } from "./change-bytes.ts";
import { CHANGE_SHARDS } from "./change-feed.ts";

/**
 * Removes announced changes of erased Jobs. A record without other changes is removed, and so is an unreadable record,
 * because it may contain the data. Followers skip missing records, as they skip expired ones. Returns the number of
 * changed records.
 */
export async function eraseChanges(erased: ErasedChanges): Promise<number> {
  let changed = 0;
  for (let shard = 0; shard < CHANGE_SHARDS; shard += 1) {
    for await (const record of listRecords(erased.meta, "changes", { prefix: `${shard}#` })) {
      if (await eraseFrom(erased, record)) changed += 1;
    }
  }
  return changed;
}

async function eraseFrom({ meta, remove, isErased }: ErasedChanges, record: MetaRecord): Promise<boolean> {
  const changes = unpackChanges(changesRecord.decode(record).packed) ?? [];
  const left = changes.filter(({ job }) => !isErased(job));
  if (changes.length > 0 && left.length === changes.length) return false;
  if (left.length === 0) await remove(record.key);
  else {
    const value = changesRecord.encode({ packed: packChanges(left) });
    await meta.write("changes", record.key, { value, expected: record.version });
  }
  return true;
}
