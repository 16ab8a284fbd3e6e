import pLimit from "p-limit";
import type { JobKey } from "../../../ports/jobs.ts";
import type { ObjectStore } from "../../../ports/object-store.ts";
import { VarintReader, VarintWriter } from "../../../projection/job-state/varint.ts";
import { decodeJobText, jobText, placeOf } from "./job-text.ts";

/** Something about one Job, on its way to the worker of its bucket. */
export type SpreadEntry = readonly [JobKey, Uint8Array];

/**
 * Entries that were spread together: an object for each of 2^bits buckets. `log`: partial states. `table`: what the
 * idle projection has stored. `runs` and `runTable`: the same of runs.
 */
export interface SpreadGroup {
  readonly kind: (typeof KINDS)[number];
  readonly bits: number;
  /** Unique among the groups of a replay. */
  readonly name: string;
}

const KINDS = ["log", "table", "runs", "runTable"] as const;

/** Where the objects of a replay are. */
export interface SpreadPlace {
  readonly objects: ObjectStore;
  readonly run: number;
}

/** Objects that are read or written at the same time. */
const AT_ONCE = 32;
/** An object has at least about as many entries: a small log has one bucket. */
const ENTRIES_PER_OBJECT = 128;
/**
 * 2,048 buckets. The memory of the replay function bounds their size: a worker has all objects of its bucket in memory.
 * The largest log that was modelled (docs/scale.md) has a million Jobs in a bucket: 0.7 GB of objects, and 1.2 GB of
 * 1.7 GB in all (measured). A log of more than 1.4 times its Jobs needs another bit, which doubles the objects.
 */
const MOST_BITS = 11;

export function bitsFor(entries: number): number {
  return Math.min(MOST_BITS, Math.max(0, Math.ceil(Math.log2(Math.max(1, entries) / ENTRIES_PER_OBJECT))));
}

/** Writes entries into objects of their buckets. All objects are durable when the promise resolves. */
export async function spread(
  place: SpreadPlace,
  { kind, name }: Pick<SpreadGroup, "kind" | "name">,
  entries: readonly SpreadEntry[],
): Promise<SpreadGroup> {
  const group = { kind, bits: bitsFor(entries.length), name };
  const writers = Array.from({ length: 2 ** group.bits }, () => new VarintWriter());
  for (const [key, value] of entries) {
    const text = jobText(key);
    writers[placeOf(text, { bits: group.bits, parts: 1 }).bucket]?.text(text).block(value);
  }
  await pLimit(AT_ONCE).map(writers, (writer, bucket) =>
    place.objects.putIfAbsent(objectKey(place, group, bucket), writer.finish()),
  );
  return group;
}

/** A bucket of 2^bits. */
export interface Bucket {
  readonly bucket: number;
  readonly bits: number;
}

/** The objects that may have entries of a bucket: one of each group. Throws {@link SpreadLostError}. */
export async function readBucket(
  place: SpreadPlace,
  groups: readonly SpreadGroup[],
  { bucket, bits }: Bucket,
): Promise<readonly Uint8Array[]> {
  return pLimit(AT_ONCE).map(groups, async (group) => {
    const key = objectKey(place, group, Math.floor(bucket / 2 ** (bits - group.bits)));
    const bytes = await place.objects.read(key);
    if (bytes === undefined) throw new SpreadLostError(`${place.objects.name}/${key}`);
    return bytes;
  });
}

export function* entriesOf(bytes: Uint8Array): Generator<SpreadEntry> {
  const reader = new VarintReader(bytes);
  while (!reader.isAtEnd) {
    const text = reader.text();
    const key = decodeJobText(text);
    if (key === undefined) throw new TypeError(`${text} in a bucket of the replay is no Job.`);
    yield [key, reader.block()];
  }
}

function objectKey({ run }: SpreadPlace, { kind, bits, name }: SpreadGroup, bucket: number): string {
  return `${run}/${kind}/${bits}/${bucket}/${name}`;
}

/** How a group is noted in the record of a unit. */
export function groupText({ kind, bits, name }: SpreadGroup): string {
  return `${kind} ${bits} ${name}`;
}

export function decodeGroup(text: string): SpreadGroup {
  const [first, bits = "", name = ""] = text.split(" ");
  return { kind: KINDS.find((kind) => kind === first) ?? "log", bits: Number(bits), name };
}

/** An object has expired, or an erasure removed it. */
export class SpreadLostError extends Error {
  override readonly name = "SpreadLostError";

  constructor(object: string) {
    super(`The replay cannot continue, because ${object} does not exist any more. Start a new replay.`);
  }
}
