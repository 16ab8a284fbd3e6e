import { EARLIEST } from "../job/model/instant.ts";
import { listRecords } from "../ports/list-records.ts";
import { countBatchKey } from "../ports/meta-key.ts";
import type { MetaStore } from "../ports/meta.ts";
import { listShards } from "./counted-shard.ts";

export interface BatchRecords {
  readonly meta: MetaStore;
  readonly remove: (key: string) => Promise<void>;
}

/** Removes the batches that are in all sums: they name the owners and namespaces of Jobs until they expire. */
export async function forgetBatches({ meta, remove }: BatchRecords): Promise<void> {
  for (const projection of ["A", "B"] as const) {
    for (const { shard, value } of await listShards({ meta, projection }, EARLIEST)) {
      const last = value.counted?.batch;
      if (last === undefined) continue;
      for await (const { key } of listRecords(meta, "countBatch", { prefix: countBatchKey(projection, shard)("") })) {
        if (key <= last) await remove(key);
      }
    }
  }
}
