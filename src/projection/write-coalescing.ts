import { isJobFact, type JobFact } from "../job/model/fact.ts";
import type { Instant } from "../job/model/instant.ts";
import type { JobKey, JobStore, StoredJob } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ProjectionName } from "../ports/projections.ts";
import type { RefoldQueue } from "../ports/refold-queue.ts";
import { segmentKey } from "../segment/segment-key.ts";
import { type JobGroup, segmentsOf } from "./group-facts.ts";
import type { JobState } from "./job-state/job-state.ts";
import { pagesOf } from "./pages/job-pages.ts";
import type { JobDelta } from "./job-state/join-job-state.ts";
import { joinSegments, type PlacedSegment, placeSegment, type SegmentName } from "./job-state/log-keys.ts";
import { readLogItem } from "./log-segment.ts";
import { lackingIn, latestSegmentAt } from "./job-state/segment-set.ts";
import { readWaiting, type StoredWaiting, writeWaiting } from "./job-state/waiting-segments.ts";

/**
 * How often large Jobs are written. A write costs a unit for each KB: a one-Pod Job one, a Job of 100,000 indexes thirty and as many again for its pages,
 * however little is new. So what comes for a large Job within a second of what was folded last is noted (one unit) and folded together a second later. The
 * note is made of names of log items; the facts are in the log, and a note that is lost is found by the audit.
 */
export type WriteCoalescing =
  /** Whoever reads the stream: notes what may wait, and has it called for. */
  | { readonly kind: "note"; readonly calls: RefoldQueue }
  /** Whoever answers the call: folds what comes and all that was noted. */
  | { readonly kind: "collect"; readonly log: Log };

/** States from so many bytes on, where the Pods lie in them: some 200. */
const LARGE_BYTES = 8_192;
const PACE_MILLIS = 1_000;
/** A call that was not answered after so long lies in a dead-letter queue: whoever notes more calls again. */
const UNANSWERED_MILLIS = 10_000;

/** One Job in one projection, as it was read. */
export interface CoalescedJob {
  readonly jobs: JobStore;
  readonly meta: MetaStore;
  readonly projection: ProjectionName;
  readonly held: JobState;
  readonly group: JobGroup;
}

/** Its Pods lie in pages, or it takes many units without them. */
export function isLarge(held: JobState, stored: StoredJob | undefined): boolean {
  return held.layout === "large" || (stored?.bytes.length ?? 0) >= LARGE_BYTES;
}

/**
 * Notes what came, where it may wait; `undefined` where it is to be folded now. The call is sent before the note is written: a call without a note folds what
 * it names, and a note without a call would wait for the audit.
 */
export async function noteForLater(paced: CoalescedJob, calls: RefoldQueue): Promise<"noted" | "conflict" | undefined> {
  const { meta, projection, held, group } = paced;
  const job = group.key;
  const read = await readWaiting(meta, job, projection);
  const fresh = await lacking(paced, segmentsOf(group));
  const waiting = await lacking(paced, read?.names ?? []);
  const [first] = fresh;
  const newest = Math.max(...fresh.map(({ place }) => place.at));
  const isDue = waiting.length === 0 && Math.abs(newest - latestSegmentAt(held.segments)) >= PACE_MILLIS;
  if (first === undefined || isDue) return undefined;
  const calledAt = calledFor(read, waiting, newest);
  if (calledAt !== read?.calledAt) {
    await calls.send([segmentKey({ ...first.name, cluster: job.cluster })], { afterSeconds: PACE_MILLIS / 1_000 });
  }
  const all = joinSegments(waiting, fresh);
  if (all === waiting && calledAt === read?.calledAt) return "noted";
  const names = all.map(({ name }) => name);
  const outcome = await writeWaiting(meta, { job, projection, waiting: { calledAt, names } }, read);
  return outcome === "conflict" ? "conflict" : "noted";
}

/** When the waiting were called for last, which may be now. */
function calledFor(read: StoredWaiting | undefined, waiting: readonly PlacedSegment[], newest: Instant): Instant {
  if (read === undefined || waiting.length === 0) return newest;
  return newest - read.calledAt >= UNANSWERED_MILLIS ? newest : read.calledAt;
}

/** What came together with all that waits, and how that is taken off the note once it is folded: `conflict` where more was noted meanwhile. */
export interface Collected {
  readonly delta: JobDelta;
  readonly settle: () => Promise<"settled" | "conflict">;
}

export async function collectWaiting(paced: CoalescedJob, log: Log): Promise<Collected> {
  const { meta, projection, group } = paced;
  const job = group.key;
  const read = await readWaiting(meta, job, projection);
  const brought = segmentsOf(group);
  const here = new Set(brought.map((name) => placeSegment(name).place.id));
  const elsewhere = (await lacking(paced, read?.names ?? [])).filter(({ place }) => !here.has(place.id));
  const found = await Promise.all(elsewhere.map(({ name }) => readNoted(log, job, name)));
  const segments = found.filter((segment) => segment !== undefined);
  return {
    delta: {
      facts: [...group.facts, ...segments.flatMap(({ facts }) => facts)],
      segments: [...brought, ...segments.map(({ name }) => name)],
    },
    settle: async () => {
      if (read === undefined || read.names.length === 0) return "settled";
      const waiting = { calledAt: read.calledAt, names: [] };
      return (await writeWaiting(meta, { job, projection, waiting }, read)) === "conflict" ? "conflict" : "settled";
    },
  };
}

/** What a log item says of one Job. `undefined` where it cannot be read: it stays unfolded, and whoever brought it has sent its key to be folded again. */
async function readNoted(log: Log, job: JobKey, name: SegmentName): Promise<NotedSegment | undefined> {
  const item = await log.read(segmentKey({ ...name, cluster: job.cluster }));
  const read = item && readLogItem(item);
  if (read?.outcome !== "read") return undefined;
  return { name, facts: read.segment.facts.filter(isJobFact).filter(({ jobUid }) => jobUid === job.jobUid) };
}

interface NotedSegment {
  readonly name: SegmentName;
  readonly facts: readonly JobFact[];
}

/** Those of `names` that the Job's state does not have yet. */
function lacking(
  { jobs, held, group }: CoalescedJob,
  names: readonly SegmentName[],
): Promise<readonly PlacedSegment[]> {
  return lackingIn(held.segments, names.map(placeSegment), pagesOf(jobs, group.key));
}
