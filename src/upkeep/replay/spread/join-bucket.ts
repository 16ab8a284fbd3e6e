import type { Instant } from "../../../job/model/instant.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import type { IdleJobs, StoredEntry } from "../../../ports/projections.ts";
import type { JobKey, PageOwner, WriteOutcome } from "../../../ports/jobs.ts";
import pLimit from "p-limit";
import { rowOf } from "../../../projection/job-state/derive-row.ts";
import { decodeJobState, type JobState } from "../../../projection/job-state/job-state.ts";
import { joinWholeStates } from "../../../projection/job-state/join-job-state.ts";
import { pagesOf } from "../../../projection/pages/job-pages.ts";
import { latestSegmentAt } from "../../../projection/job-state/segment-set.ts";
import { untilWritten } from "../../../projection/until-written.ts";
import type { UnitBatch } from "../units/run-unit.ts";
import { jobText, placeOf } from "./job-text.ts";
import { type Bucket, entriesOf, readBucket, type SpreadGroup, type SpreadPlace } from "./spread-objects.ts";
import { decodeEntry } from "./spread-table.ts";

export interface BucketJoin {
  readonly place: SpreadPlace;
  readonly groups: readonly SpreadGroup[];
  readonly idle: IdleJobs;
  readonly retry: Retry;
  readonly now: Instant;
  /** Whether buckets are still being joined. */
  readonly isCurrent: () => Promise<boolean>;
  /** About how many bytes of a bucket are one batch: some 20,000 Jobs, or 40 seconds of one vCPU. @default 12 MiB */
  readonly partBytes?: number;
}

/** What the log and the idle projection have of one Job. */
interface FoundJob {
  readonly key: JobKey;
  readonly partials: Uint8Array[];
  stored?: StoredEntry;
}

const PART_BYTES = 12 * 2 ** 20;
/** Jobs that are corrected at the same time. */
const AT_ONCE = 16;

/**
 * Corrects the Jobs of a bucket in the idle projection, so that it has what the log states: a state that is missing or
 * different is written, and one of a Job that the log does not have is removed. A part of the bucket is a batch.
 */
export async function* joinBucket(join: BucketJoin, bucket: Bucket, from?: string): AsyncGenerator<UnitBatch> {
  const log = await readKind(join, bucket, "log");
  const table = await readKind(join, bucket, "table");
  const bytes = [...log, ...table].reduce((sum, { length }) => sum + length, 0);
  // The same for every worker of the bucket, because spreading has ended.
  const parts = Math.max(1, Math.ceil(bytes / (join.partBytes ?? PART_BYTES)));
  for (let part = from === undefined ? 0 : Number(from); part < parts; part += 1) {
    yield {
      place: `${part + 1}`,
      segments: 0,
      facts: 0,
      apply: async () => {
        await pLimit(AT_ONCE).map(found({ log, table }, isIn({ ...bucket, parts, part })), (job) => correct(join, job));
        return { failed: [] };
      },
    };
  }
}

/** Whether a Job is in a part of a bucket. */
function isIn({ bucket, bits, parts, part }: Bucket & { readonly parts: number; readonly part: number }) {
  return (text: string): boolean => {
    const place = placeOf(text, { bits, parts });
    return place.bucket === bucket && place.part === part;
  };
}

function readKind({ place, groups }: BucketJoin, bucket: Bucket, kind: SpreadGroup["kind"]) {
  const ofKind = groups.filter((group) => group.kind === kind);
  return readBucket(place, ofKind, bucket);
}

interface BucketObjects {
  readonly log: readonly Uint8Array[];
  readonly table: readonly Uint8Array[];
}

function found({ log, table }: BucketObjects, isWanted: (text: string) => boolean): Iterable<FoundJob> {
  const jobs = new Map<string, FoundJob>();
  const at = (key: JobKey): FoundJob | undefined => {
    const text = jobText(key);
    if (!isWanted(text)) return undefined;
    const known = jobs.get(text) ?? { key, partials: [] };
    jobs.set(text, known);
    return known;
  };
  for (const bytes of log) for (const [key, partial] of entriesOf(bytes)) at(key)?.partials.push(partial);
  for (const bytes of table) {
    for (const [key, entry] of entriesOf(bytes)) {
      const job = at(key);
      if (job !== undefined) job.stored = decodeEntry(entry);
    }
  }
  return jobs.values();
}

/**
 * The first attempt is on condition of what was listed. When it conflicts, an earlier worker of the bucket has
 * corrected the Job, or it has expired, or a projector that began before the replay has written it: it is read again.
 * By then the replay may be past this stage, and facts that it does not have here may be in the state. So a worker
 * checks the stage between reading and writing.
 */
async function correct(
  { idle, retry, now, isCurrent }: BucketJoin,
  { key, partials, stored }: FoundJob,
): Promise<void> {
  const wanted = partials.length === 0 ? undefined : await wantedState({ idle, now }, key, partials);
  let isListed = true;
  await untilWritten(`Job ${key.jobUid}`, retry, async () => {
    const known = isListed ? stored : await idle.find(key);
    if (!isListed && !(await isCurrent())) return "ended";
    isListed = false;
    return change(idle, key, { known, wanted });
  });
}

interface Compared {
  readonly known: StoredEntry | undefined;
  readonly wanted: Awaited<ReturnType<typeof wantedState>> | undefined;
}

async function change(idle: IdleJobs, key: JobKey, { known, wanted }: Compared) {
  if (wanted === undefined) return known === undefined ? "unchanged" : idle.remove(key, known.version);
  if (known === undefined) return wanted.isExpired ? "unchanged" : written(idle.write(key, wanted.state, 0));
  if (Buffer.compare(known.digest, wanted.digest) === 0) return "unchanged";
  return written(idle.write(key, wanted.state, known.version));
}

async function written(write: Promise<WriteOutcome>): Promise<WriteOutcome["outcome"]> {
  return (await write).outcome;
}

/** A state of an expired Job is not written again, unless its last segment is so new that the archive may need it. */
const ARCHIVED_AFTER_MILLIS = 3 * 86_400_000;

async function wantedState(
  { idle, now }: Pick<BucketJoin, "idle" | "now">,
  key: JobKey,
  partials: readonly Uint8Array[],
) {
  const parts = partials.map((bytes) => decodeJobState(key.jobUid, bytes));
  const { state, bytes } = await joinWholeStates(key.jobUid, parts, pagesOf(idle, ownerOf(key, parts)));
  const row = rowOf(key.cluster, state);
  const encoded = { bytes, ...(row && { row }) };
  const { digest, keptUntil = Infinity } = await idle.entryOf(key, encoded);
  const neededUntil = Math.max(keptUntil, latestSegmentAt(state.segments) + ARCHIVED_AFTER_MILLIS);
  return { digest, isExpired: neededUntil <= now, state: encoded };
}

/** The Job with its name, if it is known. */
function ownerOf(key: JobKey, parts: readonly JobState[]): PageOwner {
  for (const part of parts) {
    const created = part.layout === "inline" ? part.record.job.created : part.job.created;
    if (created !== undefined) return { ...key, namespace: created.namespace, name: created.name };
  }
  return key;
}
