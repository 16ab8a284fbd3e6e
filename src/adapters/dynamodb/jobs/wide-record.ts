import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import * as v from "valibot";
import { DAY_MILLIS, type Instant } from "../../../job/model/instant.ts";
import { type JobRetention, stateExpiry } from "../../../ports/expiry/job-expiry.ts";
import type { EncodedJobState } from "../../../ports/job-row.ts";
import type { JobKey } from "../../../ports/jobs.ts";
import { bytes, bytesOf, type Item, number, numberOf, text, textOf } from "../attribute.ts";
import type { ItemKey } from "../dynamo-table.ts";
import { createdPrefix, decodeCreated } from "./created-key.ts";
import { WIDE_RECORD_SHARDS, wideRecordPk } from "./list-partition.ts";
import type { Entry } from "./partition-reader.ts";

/**
 * The Jobs of a record were created within this time of each other. A page of the wide lists that begins in the middle
 * reads the records of this time in addition.
 */
export const WIDE_RECORD_MS = 10_000;
/** So many Jobs of one cluster take less than 1 KB, which is one write unit. */
export const MOST_JOBS = 32;
const MAX_TEXT_BYTES = 64 * 1024;

const CODEC = 1;
/** The Jobs of each cluster: their uids, and how many milliseconds before the newest Job they were created. */
const listedJobs = v.array(v.tuple([v.string(), v.array(v.tuple([v.string(), v.number()]))]));

/** A Job that a record has may expire this much later than the record: a tenth of a percent of 400 days. */
const EARLY_MS = 3_600_000;

/** When a record expires whose newest Job was created at `createdAt`. */
export function wideRecordExpiry(createdAt: Instant, retentionDays: number): Instant {
  return Math.floor(createdAt / 1_000) * 1_000 + retentionDays * DAY_MILLIS;
}

/** A write of a state. */
interface StateWrite {
  readonly version: number;
  readonly now: Instant;
  readonly retention: JobRetention;
  /** The retention of records. */
  readonly retentionDays: number;
}

/**
 * Whether a record has a Job after this write, in place of an index entry: a new one, or one that had none before. The
 * record must expire when the Job does. So a Job has an entry if it ended more than an hour after its creation, arrived
 * late, is held, or has a retention of its own.
 */
export function mayBeRecorded({ cluster }: JobKey, { row, recordedAt }: EncodedJobState, write: StateWrite): boolean {
  if (row === undefined || (write.version > 1 && recordedAt !== row.createdAt)) return false;
  const { namespace, name, createdAt, phase, endedAt = createdAt } = row;
  const ended = { cluster, namespace, name, endedAt: phase === "F" ? endedAt : createdAt };
  const later = stateExpiry(ended, write.retention, write.now) - wideRecordExpiry(createdAt, write.retentionDays);
  return later >= 0 && later <= EARLY_MS;
}

/**
 * Jobs that were created at about the same time, as an item without its expiry. Its key follows from its content, so
 * that a repeated write changes nothing. It is sorted by its newest Job.
 */
export function fromWideRecord(jobs: readonly Entry[]): Item {
  const newest = Math.max(...jobs.map(({ created }) => decodeCreated(created).createdAt));
  const byCluster = Map.groupBy(jobs, ({ pk }) => pk.slice(0, pk.indexOf("#")));
  const listed = [...byCluster].map(([cluster, own]): v.InferOutput<typeof listedJobs>[number] => [
    cluster,
    own.map(({ created }) => {
      const { createdAt, jobUid } = decodeCreated(created);
      return [jobUid, newest - createdAt];
    }),
  ]);
  const content = JSON.stringify(listed);
  const digest = createHash("sha256").update(content).digest();
  return {
    pk: text(wideRecordPk(digest.readUInt32BE(8) % WIDE_RECORD_SHARDS)),
    sk: text(`${createdPrefix(newest)}${digest.toString("hex").slice(0, 16)}`),
    codec: number(CODEC),
    jobs: bytes(deflateRawSync(content)),
  };
}

/** The inverse of {@link fromWideRecord}. Throws WideRecordUnreadableError. */
export function toWideRecord(item: Item): readonly Entry[] {
  const newest = newestOf(item);
  const read = v.safeParse(listedJobs, parsed(item));
  if (!read.success || numberOf(item, "codec") !== CODEC) throw new WideRecordUnreadableError(keyOfRecord(item));
  return read.output.flatMap(([cluster, jobs]) =>
    jobs.map(([jobUid, age]) => ({
      pk: `${cluster}#${jobUid}`,
      created: `${createdPrefix(newest - age)}${jobUid}`,
      isRecorded: true,
    })),
  );
}

/** The Jobs of a record; none if it cannot be read. */
export function readableRecord(item: Item): readonly Entry[] {
  try {
    return toWideRecord(item);
  } catch (cause) {
    if (!(cause instanceof WideRecordUnreadableError)) throw cause;
    return [];
  }
}

/** The creation of the newest Job of a record. */
export function newestOf(item: Item): Instant {
  return decodeCreated(textOf(item, "sk")).createdAt;
}

export function keyOfRecord(item: Item): ItemKey {
  return { pk: textOf(item, "pk"), sk: textOf(item, "sk") };
}

/** A record of the wide lists is damaged, or of a later release. */
export class WideRecordUnreadableError extends Error {
  override readonly name = "WideRecordUnreadableError";

  constructor({ pk, sk }: ItemKey, cause?: unknown) {
    super(
      `Cannot read item ${pk} ${sk}, a record of the lists of all Jobs: it is damaged, or of a later release. ` +
        "Run `outlive replay` to write the lists again.",
      { cause },
    );
  }
}

function parsed(item: Item): unknown {
  try {
    const content = inflateRawSync(bytesOf(item, "jobs"), { maxOutputLength: MAX_TEXT_BYTES });
    return JSON.parse(content.toString("utf8"));
  } catch (cause) {
    // zlib's errors have a code, those of JSON.parse are SyntaxErrors.
    if (cause instanceof SyntaxError || (cause instanceof Error && "code" in cause)) {
      throw new WideRecordUnreadableError(keyOfRecord(item), cause);
    }
    throw cause;
  }
}
