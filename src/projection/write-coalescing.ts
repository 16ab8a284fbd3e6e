import { isJobFact, type JobFact } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";
import type { StoredJob } from "../ports/job-row.ts";
import type { JobKey, StateStore } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import type { RefoldQueue } from "../ports/refold-queue.ts";
import { type JobGroup, segmentsOf } from "./group-facts.ts";
import type { JobState } from "./job-state/job-state.ts";
import { pagesOf } from "./pages/job-pages.ts";
import type { JobDelta } from "./job-state/join-job-state.ts";
import { joinSegments, type KeyedSegment, keyedSegment, logKeyOf, type SegmentName } from "./job-state/log-keys.ts";
import { readLogItem } from "./log-segment.ts";
import { missingFrom, latestSegmentAt } from "./job-state/segment-set.ts";
import { readWaiting, type StoredWaiting, writeWaiting } from "./job-state/waiting-segments.ts";

/**
 * Combines writes of large Jobs. A write costs one unit per KB: 30 units and more for a Job of 100,000 indexes, however
 * small the change is. So segments that arrive within a second of the last write are noted, for one unit, and written
 * together a second later. A note contains the names of log items. The audit finds segments whose note was lost.
 */
export type WriteCoalescing =
  /** For the reader of the stream: notes segments that can wait, and queues a refold of them. */
  | { readonly kind: "note"; readonly refoldQueue: RefoldQueue }
  /** For the handler of the refold queue: writes the new segments and all noted ones. */
  | { readonly kind: "collect"; readonly log: Log };

/** A smaller state is written at once: at about 200 Pods, a state reaches this size. */
const LARGE_BYTES = 8_192;
const COALESCE_MILLIS = 1_000;
/** After this time, a refold request is assumed to be in a dead-letter queue: the next writer queues it again. */
const UNANSWERED_MILLIS = 10_000;

/** New facts for a large Job of one projection, and its state as it was read. */
export interface LargeJobUpdate {
  readonly jobs: StateStore;
  readonly meta: MetaStore;
  readonly projection: ProjectionName;
  readonly state: JobState;
  readonly group: JobGroup;
}

/** Whether a write of the Job costs many units, or its Pods are stored in pages. */
export function isLarge(state: JobState, stored: StoredJob | undefined): boolean {
  return state.layout === "large" || (stored?.bytes.length ?? 0) >= LARGE_BYTES;
}

/**
 * Notes segments that can wait; `undefined` if they are due now. The refold is queued before the note is written:
 * without a note, it applies the segment that it names. A note without a refold would wait for the audit.
 */
export async function noteForLater(
  update: LargeJobUpdate,
  refoldQueue: RefoldQueue,
): Promise<"noted" | "conflict" | undefined> {
  const { meta, projection, group } = update;
  const job = group.key;
  const read = await readWaiting(meta, job, projection);
  const fresh = await missingSegments(update, segmentsOf(group));
  const waiting = await waitingSegments(update, read);
  const [first] = fresh;
  if (first === undefined || isDue(update.state, fresh, waiting)) return undefined;
  const calledAt = refoldQueuedAt(read, waiting, newestOf(fresh));
  if (calledAt !== read?.calledAt) {
    await refoldQueue.send([logKeyOf(job.cluster, first.name)], { afterSeconds: COALESCE_MILLIS / 1_000 });
  }
  const all = joinSegments(waiting, fresh);
  if (all === waiting && calledAt === read?.calledAt) return "noted";
  const names = all.map(({ name }) => name);
  const written = await writeWaiting(meta, { job, projection, waiting: { calledAt, names } }, read);
  return written === "written" ? "noted" : written;
}

/** Nothing waits, and the last write is at least a second ago. */
function isDue(state: JobState, fresh: readonly KeyedSegment[], waiting: readonly KeyedSegment[]): boolean {
  return waiting.length === 0 && Math.abs(newestOf(fresh) - latestSegmentAt(state.segments)) >= COALESCE_MILLIS;
}

function newestOf(segments: readonly KeyedSegment[]): Instant {
  return Math.max(...segments.map(({ sortKey }) => sortKey.at));
}

/** When the refold of the waiting segments was queued last; `newest` if it has to be queued now. */
function refoldQueuedAt(read: StoredWaiting | undefined, waiting: readonly KeyedSegment[], newest: Instant): Instant {
  if (read === undefined || waiting.length === 0) return newest;
  return newest - read.calledAt >= UNANSWERED_MILLIS ? newest : read.calledAt;
}

/** New facts together with all that waited. */
export interface Collected {
  readonly delta: JobDelta;
  /** Clears the note after `delta` is written; `conflict` if segments were added meanwhile. */
  readonly settle: () => Promise<"settled" | "conflict">;
}

/** Reads the noted segments from the log and adds them to the new ones. */
export async function collectWaiting(update: LargeJobUpdate, log: Log): Promise<Collected> {
  const { meta, projection, group } = update;
  const job = group.key;
  const read = await readWaiting(meta, job, projection);
  const brought = segmentsOf(group);
  const broughtIds = new Set(brought.map((name) => keyedSegment(name).sortKey.id));
  const waiting = await waitingSegments(update, read);
  const others = waiting.filter(({ sortKey }) => !broughtIds.has(sortKey.id));
  const found = await Promise.all(others.map(({ name }) => readNoted(log, job, name)));
  const segments = found.filter((segment) => segment !== undefined);
  return {
    delta: {
      facts: [...group.facts, ...segments.flatMap(({ facts }) => facts)],
      segments: [...brought, ...segments.map(({ name }) => name)],
    },
    settle: async () => {
      if (read === undefined || read.names.length === 0) return "settled";
      const empty = { calledAt: read.calledAt, names: [] };
      return (await writeWaiting(meta, { job, projection, waiting: empty }, read)) === "conflict"
        ? "conflict"
        : "settled";
    },
  };
}

/** The facts of one Job in a log item; `undefined` if it is unreadable: then its key is queued for a refold. */
async function readNoted(log: Log, job: JobKey, name: SegmentName): Promise<NotedSegment | undefined> {
  const item = await log.read(logKeyOf(job.cluster, name));
  const read = item && readLogItem(item);
  if (read?.outcome !== "read") return undefined;
  return { name, facts: read.segment.facts.filter(isJobFact).filter(({ jobUid }) => jobUid === job.jobUid) };
}

interface NotedSegment {
  readonly name: SegmentName;
  readonly facts: readonly JobFact[];
}

/** The noted segments that the Job's state does not contain yet. */
function waitingSegments(update: LargeJobUpdate, read: StoredWaiting | undefined): Promise<readonly KeyedSegment[]> {
  return missingSegments(update, read?.names ?? []);
}

/** The segments that the Job's state does not contain yet. */
function missingSegments(
  { jobs, state, group }: LargeJobUpdate,
  names: readonly SegmentName[],
): Promise<readonly KeyedSegment[]> {
  return missingFrom(state.segments, names.map(keyedSegment), pagesOf(jobs, group.key));
}
