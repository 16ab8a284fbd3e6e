import { canonical } from "../../job/model/canonical.ts";
import type { JobFact } from "../../job/model/fact.ts";
import type { PodUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import { joinFacts, joinJobObjectFact, type JobObject, type JobRecord } from "../../job/model/job-record.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { tallyPods } from "../../job/accounting/tally.ts";
import { wasTracked } from "../../job/accounting/tracking.ts";
import {
  encodeJobState,
  jobStateRules,
  type JobState,
  type InlineJob,
  type LargeJob,
  splitFacts,
} from "./job-state.ts";
import { placeSegment, type SegmentName } from "./log-keys.ts";
import { countItems, emptyTree, PagedSet, type PageStore, type PageTree } from "../pages/page-tree.ts";
import { joinIntoPages, type PodChange, podPages, sortPods } from "../pages/pod-pages.ts";
import { addSegments } from "./segment-set.ts";
import { changeTally, tallyAll } from "./tally-change.ts";

/** What segments say of one Job. */
export interface JobDelta {
  readonly facts: readonly JobFact[];
  readonly segments: readonly SegmentName[];
}

/** A Job as it is to be written. */
export interface JoinedJob {
  readonly held: JobState;
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
export async function joinJobState(held: JobState, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  switch (held.layout) {
    case "inline":
      return joinInline(held, delta, store);
    case "large":
      return joinLarge(held, delta, store);
  }
}

/** The state of a Job of which everything is at hand: what any way of joining it comes to. */
export async function holdJob(whole: Omit<InlineJob, "layout">, store: PageStore): Promise<JoinedJob> {
  const inline: InlineJob = { layout: "inline", ...whole };
  return fitInline(inline) ?? withBytes(await toPages(inline, store));
}

async function joinInline(held: InlineJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  const record = joinFacts(held.record, delta.facts);
  const segments = await addSegments(held.segments, delta.segments.map(placeSegment), store);
  const seenAt = latestOf(held.seenAt, delta.facts);
  if (record === held.record && segments === held.segments && seenAt === held.seenAt) return undefined;
  return holdJob({ record, segments, seenAt }, store);
}

async function joinLarge(held: LargeJob, delta: JobDelta, store: PageStore): Promise<JoinedJob | undefined> {
  const { ofJob, ofPods } = splitFacts(delta.facts);
  const job = ofJob.reduce(joinJobObjectFact, held.job);
  const segments = await addSegments(held.segments, delta.segments.map(placeSegment), store);
  const seenAt = latestOf(held.seenAt, delta.facts);
  const { tree, changes } = await joinIntoPages(store, held.pods, ofPods);
  const isSame = job === held.job && segments === held.segments && seenAt === held.seenAt && changes.length === 0;
  if (isSame) return undefined;
  if (countItems(tree) <= INLINE_PODS) {
    const inline = fitInline({ layout: "inline", record: await batcher(job, tree, store), segments, seenAt });
    if (inline !== undefined) return inline;
  }
  const tally = await tallyAfter(held, job, tree, changes, store);
  return withBytes({ layout: "large", job, pods: tree, tally, segments, seenAt });
}

/** The tally follows the Pods that changed while the rules stay; when the Job's facts change the rules, every Pod is counted again. */
async function tallyAfter(
  held: LargeJob,
  job: JobObject,
  tree: PageTree,
  changes: readonly PodChange[],
  store: PageStore,
): Promise<PodTally> {
  const before = jobStateRules(held.job, held.tally);
  const rules = jobStateRules(job, { tracked: trackedAfter(held.tally, changes) });
  const changed = canonical(rules) === canonical(before) ? changeTally(held.tally, changes, rules) : undefined;
  return changed ?? tallyAll(podsUnder(tree, store), rules);
}

/** Whether Pods were seen tracked decides on the rules, and does not itself depend on them. */
function trackedAfter({ tracked }: PodTally, changes: readonly PodChange[]): number {
  const gone = changes.filter(({ before }) => before !== undefined && wasTracked(before)).length;
  return tracked - gone + changes.filter(({ after }) => wasTracked(after)).length;
}

/** Few enough Pods in few enough bytes. */
function fitInline(held: InlineJob): JoinedJob | undefined {
  if (held.record.pods.size > INLINE_PODS) return undefined;
  const joined = withBytes(held);
  return joined.bytes.length <= INLINE_BYTES ? joined : undefined;
}

async function toPages({ record, segments, seenAt }: InlineJob, store: PageStore): Promise<LargeJob> {
  const { job, pods } = record;
  const tree = await new PagedSet(podPages, store).edit(emptyTree(podPages), sortPods(pods.values()));
  const tracked = [...pods.values()].filter(wasTracked).length;
  const tally = tallyPods(pods.values(), jobStateRules(job, { tracked }));
  return { layout: "large", job, pods: tree, tally, segments, seenAt };
}

async function batcher(job: JobObject, tree: PageTree, store: PageStore): Promise<JobRecord> {
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

function withBytes(held: JobState): JoinedJob {
  return { held, bytes: encodeJobState(held) };
}
