import type { JobFact } from "../job/fact.ts";
import { joinFacts, joinJobObjectFact, type JobObject, type JobRecord } from "../job/job-record.ts";
import type { PodUid } from "../job/ids.ts";
import type { PodRecord } from "../job/pod-record.ts";
import { encodeHeldJob, type HeldJob, type InlineJob, type LargeJob, splitFacts } from "./held-job.ts";
import { placeSegment, type SegmentName } from "./log-keys.ts";
import { countItems, emptyTree, PagedSet, type PageStore } from "./page-tree.ts";
import { joinIntoPages, podPages, sortPods } from "./pod-pages.ts";
import { addSegments } from "./segment-set.ts";

/** What segments say of one Job. */
export interface JobDelta {
  readonly facts: readonly JobFact[];
  readonly segments: readonly SegmentName[];
}

/** A Job as it is to be written. */
export interface JoinedJob {
  readonly held: HeldJob;
  readonly bytes: Uint8Array;
}

/** The most Pods whose records lie in the state item. */
export const INLINE_PODS = 256;
/** The most bytes of a state item with Pods in it; beyond, fewer Pods than {@link INLINE_PODS} go to pages too. */
const INLINE_BYTES = 200_000;

/**
 * `held` with `delta` joined in; `undefined` where that changes nothing. Which layout a Job has follows from its record alone, not from how it came about.
 * Pages that the joined state refers to are durable when the promise resolves.
 */
export async function joinHeldJob(held: HeldJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  switch (held.layout) {
    case "inline":
      return joinInline(held, delta, store);
    case "large":
      return joinLarge(held, delta, store);
  }
}

async function joinInline(held: InlineJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  const record = joinFacts(held.record, delta.facts);
  const segments = await addSegments(held.segments, delta.segments.map(placeSegment), store);
  if (record === held.record && segments === held.segments) return undefined;
  return fitInline({ layout: "inline", record, segments }) ?? withBytes(await toPages(record, segments, store));
}

async function joinLarge(held: LargeJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  const { ofJob, ofPods } = splitFacts(delta.facts);
  const job = ofJob.reduce(joinJobObjectFact, held.job);
  const segments = await addSegments(held.segments, delta.segments.map(placeSegment), store);
  const { tree, changes } = await joinIntoPages(store, held.pods, ofPods);
  if (job === held.job && segments === held.segments && changes.length === 0) return undefined;
  const joined: LargeJob = { layout: "large", job, pods: tree, segments };
  if (countItems(tree) > INLINE_PODS) return withBytes(joined);
  const record = await gather(job, tree, store);
  return fitInline({ layout: "inline", record, segments }) ?? withBytes(joined);
}

/** Few enough Pods in few enough bytes. */
function fitInline(held: InlineJob): JoinedJob | undefined {
  if (held.record.pods.size > INLINE_PODS) return undefined;
  const joined = withBytes(held);
  return joined.bytes.length <= INLINE_BYTES ? joined : undefined;
}

async function toPages({ job, pods }: JobRecord, segments: HeldJob["segments"], store: PageStore): Promise<LargeJob> {
  const tree = await new PagedSet(podPages, store).edit(emptyTree(podPages), sortPods(pods.values()));
  return { layout: "large", job, pods: tree, segments };
}

async function gather(job: JobObject, tree: LargeJob["pods"], store: PageStore): Promise<JobRecord> {
  const pods = new Map<PodUid, PodRecord>();
  for await (const { pod } of new PagedSet(podPages, store).items(tree)) pods.set(pod.uid, pod);
  return { job, pods };
}

function withBytes(held: HeldJob): JoinedJob {
  return { held, bytes: encodeHeldJob(held) };
}
