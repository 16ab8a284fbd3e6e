import { canonical } from "../../job/model/canonical.ts";
import type { CountingRules } from "../../job/accounting/counting-rules.ts";
import type { PodUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobObject } from "../../job/model/job-record.ts";
import { isOwnPod } from "../../job/model/own-pod.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { PodTally } from "../../job/accounting/pod-tally.ts";
import { tallyPods } from "../../job/accounting/tally.ts";
import { wasTracked } from "../../job/accounting/tracking.ts";
import type { JobKey, JobStore, StoredJob } from "../../ports/jobs.ts";
import type { LogKey } from "../../ports/log.ts";
import { segmentKey } from "../../segment/segment-key.ts";
import { decodeJobState, type JobState, jobStateRules } from "./job-state.ts";
import { pagesOf } from "../pages/job-pages.ts";
import { placeSegment, type SegmentName } from "./log-keys.ts";
import { countItems, PagedSet } from "../pages/page-tree.ts";
import { compareSortKeys, type SortKey } from "../pages/sort-key.ts";
import { podPages, sortPods } from "../pages/pod-pages.ts";
import { lackingIn, segmentNames } from "./segment-set.ts";
import { tallyAll } from "./tally-change.ts";

/** A Job as a projection holds it. Whether its Pods lie in the state item or in pages of their own cannot be told from here. */
export interface JobView {
  readonly job: JobObject;
  readonly podCount: number;
  /** The Pods summed by `rules`. Kept for the rules that the Job's own facts give; for others (a reader may know the server's release) every Pod is read. */
  tally(rules: CountingRules): Promise<PodTally>;
  /** Some Pod was seen with the tracking finalizer: evidence for how Pods are counted. */
  readonly podTracked: boolean;
  /** The version of the state this is a view of: the whole view is of that one version. */
  readonly version: number;
  /** The Pods in order of (createdAt, uid), strictly after `after` where given; read page by page, so that a Job of a million Pods needs no more memory than one page. */
  pods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The same without Pods elsewhere that name the Job as their owner (own-pod.ts): what answers are made of. */
  ownPods(after?: PodPosition): AsyncIterable<PodRecord>;
  /** The log items that hold facts of this Job, in order of sealedAt. */
  logKeys(): AsyncIterable<LogKey>;
  /** Those of `segments` that were not folded into it. */
  lacking(segments: readonly SegmentName[]): Promise<readonly SegmentName[]>;
}

/** Where a Pod stands among the Pods of its Job. `createdAt` is 0 while its creation was not seen. */
export interface PodPosition {
  readonly createdAt: Instant;
  readonly podUid: PodUid;
}

/** What a projection holds of a Job; `undefined` where it never heard of it. */
export async function readJob(jobs: JobStore, key: JobKey): Promise<JobView | undefined> {
  const stored = await jobs.read(key);
  return stored === undefined ? undefined : viewJob(jobs, key, stored);
}

/** A view of a state that was read. */
export function viewJob(jobs: JobStore, key: JobKey, { bytes, version }: Pick<StoredJob, "bytes" | "version">): JobView {
  const held = decodeJobState(key.jobUid, bytes);
  return {
    job: held.layout === "inline" ? held.record.job : held.job,
    podCount: held.layout === "inline" ? held.record.pods.size : countItems(held.pods),
    podTracked: hasTrackedPod(held),
    tally: (rules) => tallyBy(jobs, key, held, rules),
    version,
    pods: (after) => podsAfter(jobs, key, held, after),
    ownPods: (after) => ownPodsIn(held, podsAfter(jobs, key, held, after)),
    logKeys: () => logKeys(jobs, key, held),
    lacking: async (segments) => {
      const lacking = await lackingIn(held.segments, segments.map(placeSegment), pagesOf(jobs, key));
      return lacking.map(({ name }) => name);
    },
  };
}

function hasTrackedPod(held: JobState): boolean {
  return held.layout === "large" ? held.tally.tracked > 0 : [...held.record.pods.values()].some(wasTracked);
}

async function tallyBy(jobs: JobStore, key: JobKey, held: JobState, rules: CountingRules): Promise<PodTally> {
  if (held.layout === "inline") return tallyPods(held.record.pods.values(), rules);
  if (canonical(rules) === canonical(jobStateRules(held.job, held.tally))) return held.tally;
  return tallyAll(podsAfter(jobs, key, held, undefined), rules);
}

async function* podsAfter(
  jobs: JobStore,
  key: JobKey,
  held: JobState,
  after: PodPosition | undefined,
): AsyncGenerator<PodRecord> {
  const place: SortKey | undefined = after && { at: after.createdAt, id: after.podUid };
  if (held.layout === "large") {
    for await (const { pod } of new PagedSet(podPages, pagesOf(jobs, key)).items(held.pods, place)) yield pod;
    return;
  }
  for (const item of sortPods(held.record.pods.values())) {
    if (place === undefined || compareSortKeys(item.place, place) > 0) yield item.pod;
  }
}

async function* ownPodsIn(held: JobState, pods: AsyncIterable<PodRecord>): AsyncGenerator<PodRecord> {
  const { created } = held.layout === "inline" ? held.record.job : held.job;
  for await (const pod of pods) if (isOwnPod(pod, created?.namespace)) yield pod;
}

async function* logKeys(jobs: JobStore, key: JobKey, { segments }: JobState): AsyncGenerator<LogKey> {
  for await (const name of segmentNames(segments, pagesOf(jobs, key))) {
    yield segmentKey({ ...name, cluster: key.cluster });
  }
}
