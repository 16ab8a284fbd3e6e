import * as v from "valibot";
import { listRecords } from "../ports/list-records.ts";
import { countBatchKey, countShardKey } from "../ports/meta-key.ts";
import { listDecoded, readRecord, recordCodec, writeRecord } from "../ports/records/record-codec.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { type StoredBatch, storedBatch } from "./count-batch.ts";
import { SumsConflictError } from "./sums.ts";

/** The end of some batches of a shard. */
export interface ShardEnd {
  /** The key of the last batch. */
  readonly batch: string;
  /** The position of its last write. */
  readonly to: string;
}

/** Kind `countShard`: which batches of a shard are in all sums. Written before the first batch. */
export interface CountedShard {
  readonly counted?: ShardEnd;
  /** The batches of a round that may be in some sums only, if the position names the round. */
  readonly next?: ShardEnd & { readonly round: number };
}

const shardEnd = { batch: v.string(), to: v.string() };
export const countedShard = recordCodec<CountedShard>(
  "countShard",
  v.looseObject({
    counted: v.exactOptional(v.looseObject(shardEnd)),
    next: v.exactOptional(v.looseObject({ ...shardEnd, round: v.number() })),
  }),
);

export interface StoredShard {
  readonly shard: string;
  readonly value: CountedShard;
  readonly version: number;
}

/** The record of a shard, which is written if there is none. */
export async function openShard({ meta, projection }: CountedProjection, shard: string): Promise<StoredShard> {
  const key = countShardKey(projection, shard);
  const stored = await readRecord(meta, countedShard, key);
  if (stored !== undefined) return { shard, ...stored };
  return writeShard({ meta, projection }, { shard, value: {}, version: 0 });
}

/** Throws {@link SumsConflictError} where another process has written it. */
export async function writeShard(
  { meta, projection }: CountedProjection,
  { shard, value, version: expected }: StoredShard,
): Promise<StoredShard> {
  const key = countShardKey(projection, shard);
  const written = await writeRecord(meta, countedShard, { key, value, expected });
  if (written.outcome === "conflict") throw new SumsConflictError(key);
  return { shard, value, version: written.version };
}

/** All shards of the last days. */
export async function listShards({ meta, projection }: CountedProjection): Promise<readonly StoredShard[]> {
  const prefix = countShardKey(projection, "");
  const shards: StoredShard[] = [];
  for await (const { key, value, version } of listDecoded(meta, countedShard, prefix)) {
    shards.push({ shard: key.slice(prefix.length), value, version });
  }
  return shards;
}

/** The batches of a shard that are not in all sums, in order. */
export async function* listBatches(
  { meta, projection }: CountedProjection,
  { shard, value: { counted } }: StoredShard,
): AsyncGenerator<{ readonly key: string; readonly stored: StoredBatch }> {
  const prefix = countBatchKey(projection, shard)("");
  for await (const record of listRecords(meta, "countBatch", { prefix, after: counted?.batch })) {
    yield { key: record.key, stored: storedBatch.decode(record) };
  }
}
