import pLimit from "p-limit";
import * as v from "valibot";
import type { Instant } from "../job/model/instant.ts";
import { utcHour } from "../segment/pack-key.ts";
import { listRecords } from "../ports/list-records.ts";
import { activeShardKey, countBatchKey, countShardKey } from "../ports/meta-key.ts";
import { readRecord, recordCodec, writeRecord } from "../ports/records/record-codec.ts";
import type { CountedProjection } from "./apply-differences.ts";
import { type StoredBatch, storedBatch } from "./count-batch.ts";
import { SumsConflictError } from "./metrics/sums/sums-errors.ts";

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
  /** The batches of an unfinished round that only some sums may contain, if the position names that round. */
  readonly next?: ShardEnd & { readonly round: number };
}

const shardEnd = { batch: v.string(), to: v.string() };
const countedShard = recordCodec<CountedShard>(
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

/**
 * Records that a shard has writes in this hour. A table may have thousands of shards in a week, most of which have
 * ended.
 */
export async function noteActive({ meta, projection }: CountedProjection, shard: string, now: Instant): Promise<void> {
  const key = activeShardKey(projection, utcHour(now))(shard);
  if ((await meta.read("countShard", key)) !== undefined) return;
  // Another process may write it at the same time.
  await meta.write("countShard", key, { value: "{}", expected: 0 });
}

/** The shards that had writes since an hour. */
export async function listShards(counted: CountedProjection, from: Instant): Promise<readonly StoredShard[]> {
  const { meta, projection } = counted;
  const prefix = activeShardKey(projection, "")("").slice(0, -1);
  const after = from <= 0 ? undefined : `${prefix}${utcHour(from)}`;
  const names = new Set<string>();
  for await (const { key } of listRecords(meta, "countShard", { prefix, after })) {
    names.add(key.slice(key.indexOf("#", prefix.length) + 1));
  }
  return pLimit(AT_ONCE).map([...names].sort(), (shard) => openShard(counted, shard));
}

const AT_ONCE = 32;

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
