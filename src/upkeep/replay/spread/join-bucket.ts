import type { Instant } from "../../../job/model/instant.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import { errorMessage } from "../../../job/text/error-message.ts";
import type { EncodedJobState } from "../../../ports/job-row.ts";
import type { FoundEntry, IdleJobs, StoredEntry } from "../../../ports/projections.ts";
import type { JobKey, WriteOutcome } from "../../../ports/jobs.ts";
import type { RefusedJob } from "../../../ports/records/replay/unit-record.ts";
import pLimit from "p-limit";
import { untilWritten } from "../../../projection/until-written.ts";
import type { UnitBatch } from "../units/run-unit.ts";
import { jobText, placeOf } from "./job-text.ts";
import { type Bucket, entriesOf, readBucket, type SpreadGroup, type SpreadPlace } from "./spread-objects.ts";
import { decodeEntry } from "./spread-table.ts";

/** How what was spread becomes what must be stored: of Jobs (join-jobs.ts), or of runs (join-runs.ts). */
export interface BucketJoiner {
  readonly kinds: Readonly<Record<"log" | "table", SpreadGroup["kind"]>>;
  /** `undefined` if nothing must be stored. */
  readonly join: (key: JobKey, partials: readonly Uint8Array[]) => Promise<JoinedState | undefined>;
  /** Follows the correction of a state. */
  readonly corrected?: (key: JobKey) => Promise<void>;
  /** What a stored state has that arrived since the log was spread, as another partial state. */
  readonly lateOf: (key: JobKey, found: Pick<FoundEntry, "bytes" | "summary">) => Promise<Uint8Array | undefined>;
}

export interface JoinedState {
  readonly state: EncodedJobState;
  /** The time of its last segment or fact. */
  readonly latestAt: Instant;
}

export interface BucketJoin {
  readonly joiner: BucketJoiner;
  readonly place: SpreadPlace;
  readonly groups: readonly SpreadGroup[];
  readonly idle: IdleJobs;
  readonly retry: Retry;
  readonly now: Instant;
  /** Whether an error concerns more than one Job: then the unit fails, and is repeated. */
  readonly isOutage: (cause: unknown) => boolean;
  /** Whether buckets are still being joined. */
  readonly isCurrent: () => Promise<boolean>;
  /** About how many bytes of a bucket are one batch: some 20,000 Jobs, or 40 seconds of one vCPU. @default 12 MiB */
  readonly partBytes?: number;
}

/** What the log and the idle projection have of one Job. */
interface FoundJob {
  readonly key: JobKey;
  readonly partials: Uint8Array[];
  /** The creation of the Job in each record of several Jobs that has it. */
  readonly recorded: (Instant | undefined)[];
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
        const jobs = jobsOf({ log, table }, isIn({ ...bucket, parts, part }));
        const refused = await pLimit(AT_ONCE).map(jobs, (job) => correctOrRefuse(join, job));
        return { failed: [], refused: refused.flat() };
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

function readKind({ joiner, place, groups }: BucketJoin, bucket: Bucket, kind: "log" | "table") {
  const ofKind = groups.filter((group) => group.kind === joiner.kinds[kind]);
  return readBucket(place, ofKind, bucket);
}

interface BucketObjects {
  readonly log: readonly Uint8Array[];
  readonly table: readonly Uint8Array[];
}

function jobsOf({ log, table }: BucketObjects, isWanted: (text: string) => boolean): Iterable<FoundJob> {
  const jobs = new Map<string, FoundJob>();
  const at = (key: JobKey): FoundJob | undefined => {
    const text = jobText(key);
    if (!isWanted(text)) return undefined;
    const known = jobs.get(text) ?? { key, partials: [], recorded: [] };
    jobs.set(text, known);
    return known;
  };
  for (const bytes of log) for (const [key, partial] of entriesOf(bytes)) at(key)?.partials.push(partial);
  for (const bytes of table) {
    for (const [key, entry] of entriesOf(bytes)) {
      const job = at(key);
      const decoded = decodeEntry(entry);
      if (decoded.version === 0) job?.recorded.push(decoded.recordedAt);
      else if (job !== undefined) job.stored = decoded;
    }
  }
  return [...jobs.values()].map(withRecord);
}

/** A state whose record is missing is written again, with an index entry. */
function withRecord({ stored, ...job }: FoundJob): FoundJob {
  if (stored === undefined) return job;
  const isRecorded = stored.recordedAt === undefined || job.recorded.includes(stored.recordedAt);
  return { ...job, stored: isRecorded ? stored : { version: stored.version, digest: new Uint8Array() } };
}

const REASON_LENGTH = 160;

/** A Job that cannot be corrected does not keep the others from it. */
async function correctOrRefuse(join: BucketJoin, job: FoundJob): Promise<readonly RefusedJob[]> {
  try {
    await correct(join, job);
    await join.joiner.corrected?.(job.key);
    return [];
  } catch (cause) {
    if (join.isOutage(cause)) throw cause;
    return [{ job: jobText(job.key), reason: errorMessage(cause).slice(0, REASON_LENGTH) }];
  }
}

/**
 * The first attempt is on condition of what was listed. When it conflicts, an earlier worker of the bucket has
 * corrected the Job, or it has expired, or a projector that began before the replay has written it: it is read again.
 * By then the replay may be past this stage, and the state may have facts that were not spread. So what is written has
 * these facts as well ({@link BucketJoiner}).
 */
async function correct(join: BucketJoin, { key, partials, stored }: FoundJob): Promise<void> {
  const { idle, retry, isCurrent } = join;
  const wanted = await wantedState(join, key, partials);
  if (isRight(stored, wanted)) return;
  // An expired state may be deleted at any time, and its next versions begin with 1 again.
  let first = stored !== undefined && wanted?.isExpired === true ? undefined : wanted;
  await untilWritten(`Job ${key.jobUid}`, retry, async () => {
    if (first !== undefined) {
      const { state } = first;
      first = undefined;
      return written(writeOver(idle, key, { state, known: stored }));
    }
    const found = await idle.find(key);
    return (await isCurrent()) ? correctFound(join, key, { found, partials }) : "ended";
  });
}

interface FoundState {
  readonly found: FoundEntry | undefined;
  readonly partials: readonly Uint8Array[];
}

async function correctFound(join: BucketJoin, key: JobKey, { found, partials }: FoundState) {
  const { idle, joiner } = join;
  const late = found && (await joiner.lateOf(key, found));
  const wanted = await wantedState(join, key, late === undefined ? partials : [...partials, late]);
  if (isRight(found, wanted)) return "unchanged";
  if (wanted !== undefined) return written(writeOver(idle, key, { state: wanted.state, known: found }));
  return found === undefined ? "unchanged" : idle.remove(key, found);
}

interface WriteOver {
  readonly state: EncodedJobState;
  readonly known: StoredEntry | undefined;
}

/** Writes a state over the known one, which a record of several Jobs may have. */
function writeOver(idle: IdleJobs, key: JobKey, { state, known }: WriteOver): Promise<WriteOutcome> {
  const { version = 0, recordedAt } = known ?? {};
  return idle.write(key, { ...state, ...(recordedAt !== undefined && { recordedAt }) }, version);
}

/** Whether the projection has what it must have. An expired state need not be written again. */
function isRight(known: StoredEntry | undefined, wanted: WantedState | undefined): boolean {
  if (known === undefined) return wanted === undefined || wanted.isExpired;
  return wanted !== undefined && Buffer.compare(known.digest, wanted.digest) === 0;
}

async function written(write: Promise<WriteOutcome>): Promise<WriteOutcome["outcome"]> {
  return (await write).outcome;
}

/** A state of an expired Job is not written again, unless its last segment is so new that the archive may need it. */
const ARCHIVED_AFTER_MILLIS = 3 * 86_400_000;

interface WantedState extends Pick<StoredEntry, "digest"> {
  readonly state: EncodedJobState;
  readonly isExpired: boolean;
}

/** The state of a Job; `undefined` if the log does not have the Job. */
async function wantedState(
  { joiner, idle, now }: Pick<BucketJoin, "joiner" | "idle" | "now">,
  key: JobKey,
  partials: readonly Uint8Array[],
): Promise<WantedState | undefined> {
  const joined = partials.length === 0 ? undefined : await joiner.join(key, partials);
  if (joined === undefined) return undefined;
  const { state, latestAt } = joined;
  const { digest, keptUntil = Infinity } = await idle.entryOf(key, state);
  return { digest, isExpired: Math.max(keptUntil, latestAt + ARCHIVED_AFTER_MILLIS) <= now, state };
}
