import { canonical } from "../../job/model/canonical.ts";
import type { CountingRules } from "../../job/accounting/counting-rules.ts";
import type { ClusterName, PodUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject, JobRecord } from "../../job/model/job-record.ts";
import { isOwnPod } from "../../job/model/own-pod.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { tallyPods } from "../../job/accounting/tally.ts";
import { wasTracked } from "../../job/accounting/tracking.ts";
import type { StoredJob } from "../../ports/job-row.ts";
import type { JobKey, JobStore } from "../../ports/jobs.ts";
import type { LogKey } from "../../ports/log.ts";
import { decodeJobState, jobObjectOf, type JobState, jobStateRules } from "./job-state.ts";
import { pagesOf } from "../pages/job-pages.ts";
import { joinSegments, keyedSegment, logKeyOf, type SegmentName } from "./log-keys.ts";
import { countItems, PagedSet, type PageStore } from "../pages/page-tree.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { podPages, sortPods } from "../pages/pod-pages.ts";
import { foundIn, segmentNames, type SegmentSet } from "./segment-set.ts";
import { tallyAll } from "./tally-change.ts";

/** One Job in a projection, whether its Pods are stored in the state item or in pages. */
export interface JobView {
  readonly job: JobObject;
  readonly podCount: number;
  /**
   * The Pods counted by `rules`. The stored tally is used if the rules follow from the Job's own facts. For other
   * rules, for example those of a known server release, every Pod is read.
   */
  tally(rules: CountingRules): Promise<PodTally>;
  /** Whether any Pod had the tracking finalizer: evidence of how Pods are counted. */
  readonly podTracked: boolean;
  /** The latest instant of any fact of the Job. */
  readonly seenAt: Instant;
  /** The version of the stored state. All of the view is of this version. */
  readonly version: number;
  /** The Pods in order of (createdAt, uid), after `after`. They are read page by page, so memory stays constant. */
  pods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The Job's own Pods: without Pods of other namespaces that name the Job as their owner (own-pod.ts). */
  ownPods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The log items that contain facts of this Job, in order of sealedAt. */
  logKeys(): AsyncIterable<LogKey>;
  /** The segments among `segments` that were applied to this Job, with the places where they arrived first. */
  applied(segments: readonly SegmentName[]): Promise<readonly SegmentName[]>;
}

/** The position of a Pod among the Pods of its Job. `createdAt` is 0 if its creation was not observed. */
export interface PodPosition {
  readonly createdAt: Instant;
  readonly podUid: PodUid;
}

/** Reads a Job from a projection; `undefined` if the projection does not know it. */
export async function readJob(jobs: JobStore, key: JobKey): Promise<JobView | undefined> {
  const stored = await jobs.read(key);
  return stored === undefined ? undefined : viewJob(jobs, key, stored);
}

type StoredState = Pick<StoredJob, "bytes" | "version">;

/** A view of a state that was read. */
export function viewJob(jobs: JobStore, key: JobKey, { bytes, version }: StoredState): JobView {
  return viewSource({ state: decodeJobState(key.jobUid, bytes), pages: pagesOf(jobs, key) }, key.cluster, version);
}

/** A view of a record that was folded from segments, and is stored nowhere. */
export function viewRecord(cluster: ClusterName, { record, segments, seenAt }: FoldedRecord): JobView {
  const few: SegmentSet = { kind: "few", segments: joinSegments([], segments.map(keyedSegment)) };
  return viewSource({ state: { layout: "inline", record, segments: few, seenAt }, pages: NO_PAGES }, cluster, 0);
}

export interface FoldedRecord extends Pick<JobView, "seenAt"> {
  readonly record: JobRecord;
  /** The segments that contain its facts. */
  readonly segments: readonly SegmentName[];
}

/** An inline record refers to no pages. */
const NO_PAGES: PageStore = { read: async () => undefined, write: async () => {} };

function viewSource(source: JobSource, cluster: ClusterName, version: number): JobView {
  const { state, pages } = source;
  return {
    job: jobObjectOf(state),
    podCount: state.layout === "inline" ? state.record.pods.size : countItems(state.pods),
    podTracked: hasTrackedPod(state),
    tally: (rules) => tallyBy(source, rules),
    seenAt: state.seenAt,
    version,
    pods: (after) => podsAfter(source, after),
    ownPods: (after) => ownPodsIn(state, podsAfter(source, after)),
    logKeys: () => logKeys(source, cluster),
    applied: async (segments) => {
      const found = await foundIn(state.segments, segments.map(keyedSegment), pages);
      return found.map(({ name }) => name);
    },
  };
}

/** A state and the pages that it refers to. */
interface JobSource {
  readonly state: JobState;
  readonly pages: PageStore;
}

function hasTrackedPod(state: JobState): boolean {
  return state.layout === "large" ? state.tally.tracked > 0 : [...state.record.pods.values()].some(wasTracked);
}

async function tallyBy(source: JobSource, rules: CountingRules): Promise<PodTally> {
  const { state } = source;
  if (state.layout === "inline") return tallyPods(state.record.pods.values(), rules);
  if (canonical(rules) === canonical(jobStateRules(state.job, state.tally))) return state.tally;
  return tallyAll(podsAfter(source, undefined), rules);
}

async function* podsAfter({ state, pages }: JobSource, after: PodPosition | undefined): AsyncGenerator<PodRecord> {
  const afterKey: SortKey | undefined = after && { at: after.createdAt, id: after.podUid };
  if (state.layout === "large") {
    for await (const { pod } of new PagedSet(podPages, pages).items(state.pods, afterKey)) yield pod;
    return;
  }
  for (const { pod, sortKey } of sortPods(state.record.pods.values())) {
    if (afterKey === undefined || compareSortKeys(sortKey, afterKey) > 0) yield pod;
  }
}

async function* ownPodsIn(state: JobState, pods: AsyncIterable<PodRecord>): AsyncGenerator<PodRecord> {
  const { created } = jobObjectOf(state);
  for await (const pod of pods) if (isOwnPod(pod, created?.namespace)) yield pod;
}

async function* logKeys({ state, pages }: JobSource, cluster: ClusterName): AsyncGenerator<LogKey> {
  for await (const name of segmentNames(state.segments, pages)) yield logKeyOf(cluster, name);
}
