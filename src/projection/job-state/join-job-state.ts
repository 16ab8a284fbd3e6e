import { canonical } from "../../job/model/canonical.ts";
import type { JobFact } from "../../job/model/fact.ts";
import type { JobUid, PodUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import {
  emptyJob,
  joinFacts,
  joinJobObjectFact,
  joinJobs,
  type JobObject,
  type JobRecord,
} from "../../job/model/job-record.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { tallyPods } from "../../job/accounting/tally.ts";
import { wasTracked } from "../../job/accounting/tracking.ts";
import {
  EARLIEST_AT,
  encodeJobState,
  jobStateRules,
  type JobState,
  type InlineJob,
  type LargeJob,
  splitFacts,
} from "./job-state.ts";
import { type KeyedSegment, keyedSegment, type SegmentName } from "./log-keys.ts";
import { countItems, emptyTree, PagedSet, type PageStore, type PageTree } from "../pages/page-tree.ts";
import { joinIntoPages, type PodChange, podPages, sortPods } from "../pages/pod-pages.ts";
import { addSegments, listedSegments, noSegments } from "./segment-set.ts";
import { changeTally, tallyAll } from "./tally-change.ts";

/** The facts about one Job, and the segments that contain them. */
export interface JobDelta {
  readonly facts: readonly JobFact[];
  readonly segments: readonly SegmentName[];
}

/** A Job state and its bytes. */
export interface JoinedJob {
  readonly state: JobState;
  readonly bytes: Uint8Array;
}

/** The most Pods that are stored in the state item. */
export const INLINE_PODS = 256;
/** The most bytes of a state item with Pods. A larger one moves its Pods to pages, however few they are. */
const INLINE_BYTES = 200_000;

/**
 * Joins `delta` into a state; `undefined` if that changes nothing. The layout follows from the record alone, not from
 * the order of the facts. The pages that the joined state refers to are durable when the promise resolves.
 */
export async function joinJobState(state: JobState, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  switch (state.layout) {
    case "inline":
      return joinInline(state, delta, store);
    case "large":
      return joinLarge(state, delta, store);
  }
}

/** The state of a Job whose whole record is in memory. The order in which facts are joined does not change it. */
export async function jobStateFrom(whole: Omit<InlineJob, "layout">, store: PageStore): Promise<JoinedJob> {
  const inline: InlineJob = { layout: "inline", ...whole };
  return fitInline(inline) ?? withBytes(await toPages(inline, store));
}

/** A state with all of its Pods and segments in the inline layout, however many they are: it refers to no pages. */
export async function wholeState(state: JobState, store: PageStore): Promise<InlineJob> {
  const { seenAt } = state;
  const record = state.layout === "inline" ? state.record : await collectPods(state.job, state.pods, store);
  const segments = { kind: "few", segments: await listedSegments(state.segments, store) } as const;
  return { layout: "inline", record, segments, seenAt };
}

/** The state that has the facts of all `parts`, which are whole ({@link wholeState}). Its pages go to `store`. */
export async function joinWholeStates(uid: JobUid, parts: Iterable<JobState>, store: PageStore): Promise<JoinedJob> {
  let whole: Omit<InlineJob, "layout"> = { record: emptyJob(uid), segments: noSegments, seenAt: EARLIEST_AT };
  const segments: KeyedSegment[] = [];
  for (const part of parts) {
    if (part.layout === "large" || part.segments.kind === "many") throw new TypeError(`Job ${uid} is not whole.`);
    const { record, seenAt } = whole;
    whole = { ...whole, record: joinJobs(record, part.record), seenAt: Math.max(seenAt, part.seenAt) };
    segments.push(...part.segments.segments);
  }
  return jobStateFrom({ ...whole, segments: await addSegments(noSegments, segments, store) }, store);
}

async function joinInline(state: InlineJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  const record = joinFacts(state.record, delta.facts);
  const segments = await addSegments(state.segments, delta.segments.map(keyedSegment), store);
  const seenAt = latestOf(state.seenAt, delta.facts);
  if (record === state.record && segments === state.segments && seenAt === state.seenAt) return undefined;
  return jobStateFrom({ record, segments, seenAt }, store);
}

async function joinLarge(state: LargeJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  const { ofJob, ofPods } = splitFacts(delta.facts);
  const job = ofJob.reduce(joinJobObjectFact, state.job);
  const segments = await addSegments(state.segments, delta.segments.map(keyedSegment), store);
  const seenAt = latestOf(state.seenAt, delta.facts);
  const { tree, changes } = await joinIntoPages(store, state.pods, ofPods);
  const isSame = job === state.job && segments === state.segments && seenAt === state.seenAt && changes.length === 0;
  if (isSame) return undefined;
  if (countItems(tree) <= INLINE_PODS) {
    const inline = fitInline({ layout: "inline", record: await collectPods(job, tree, store), segments, seenAt });
    if (inline !== undefined) return inline;
  }
  const tally = await tallyAfter(state, { job, tree, changes }, store);
  return withBytes({ layout: "large", job, pods: tree, tally, segments, seenAt });
}

interface JobChange {
  readonly job: JobObject;
  readonly tree: PageTree;
  readonly changes: readonly PodChange[];
}

/** Only changed Pods are counted again, unless the facts of the Job change the counting rules. */
async function tallyAfter(state: LargeJob, { job, tree, changes }: JobChange, store: PageStore): Promise<PodTally> {
  const before = jobStateRules(state.job, state.tally);
  const rules = jobStateRules(job, { tracked: trackedAfter(state.tally, changes) });
  const changed = canonical(rules) === canonical(before) ? changeTally(state.tally, changes, rules) : undefined;
  return changed ?? tallyAll(podsUnder(tree, store), rules);
}

/** The number of tracked Pods. The rules depend on it; it does not depend on the rules. */
function trackedAfter({ tracked }: PodTally, changes: readonly PodChange[]): number {
  const gone = changes.filter(({ before }) => before !== undefined && wasTracked(before)).length;
  return tracked - gone + changes.filter(({ after }) => wasTracked(after)).length;
}

/** The inline layout, unless the Pods are too many or too large for it. */
function fitInline(state: InlineJob): JoinedJob | undefined {
  if (state.record.pods.size > INLINE_PODS) return undefined;
  const joined = withBytes(state);
  return joined.bytes.length <= INLINE_BYTES ? joined : undefined;
}

async function toPages({ record, segments, seenAt }: InlineJob, store: PageStore): Promise<LargeJob> {
  const { job, pods } = record;
  const tree = await new PagedSet(podPages, store).edit(emptyTree(podPages), sortPods(pods.values()));
  const tracked = [...pods.values()].filter(wasTracked).length;
  const tally = tallyPods(pods.values(), jobStateRules(job, { tracked }));
  return { layout: "large", job, pods: tree, tally, segments, seenAt };
}

async function collectPods(job: JobObject, tree: PageTree, store: PageStore): Promise<JobRecord> {
  const pods = new Map<PodUid, PodRecord>();
  for await (const pod of podsUnder(tree, store)) pods.set(pod.uid, pod);
  return { job, pods };
}

async function* podsUnder(tree: PageTree, store: PageStore): AsyncGenerator<PodRecord> {
  for await (const { pod } of new PagedSet(podPages, store).items(tree)) yield pod;
}

function latestOf(known: Instant, facts: readonly JobFact[]): Instant {
  return facts.reduce((latest, { at }) => Math.max(latest, at), known);
}

function withBytes(state: JobState): JoinedJob {
  return { state, bytes: encodeJobState(state) };
}
