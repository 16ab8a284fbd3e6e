import type { CountingRules } from "../accounting/counting-rules.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import type { ContainerEnded } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import { compareOrder, type Order, orderOf } from "../model/order.ts";
import { firstEnd, isLostByRuntime, isStillRunning, outcomeOf } from "../model/outcome.ts";
import { endedAt, endOrder, isMain, isOwnSuccess, lastEnds, startedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * How the second run relates to the first. `afterStop`: the first run was asked to stop and exited with 0.
 * `unknownEnd`: the end of the first run is unknown. `inPlace`: the end is unknown, and both are runs of one container.
 */
export type Overlap = "atOnce" | "afterSuccess" | "afterStop" | "unknownEnd" | "inPlace";

export interface RunContext {
  readonly job: JobObject;
  readonly rules: CountingRules;
  readonly clusterContext: ClusterContext;
}

/** The data needed to compare runs: a tenth of a Pod's record. */
export interface Run {
  readonly uid: PodRecord["uid"];
  readonly createdAt: Instant;
  readonly created: Order | undefined;
  readonly start: Instant | undefined;
  /** When its containers ended, if they say so. */
  readonly end: Instant | undefined;
  /** The first observation of that end. */
  readonly ended: Order | undefined;
  readonly hasSucceeded: boolean;
  /** It succeeded by itself, and not in answer to its deletion. */
  readonly isOwnSuccess: boolean;
  /** The success, in a Job whose controller forgets successes. */
  readonly forgotten: Order | undefined;
  /** How it ended is unknown, or whether it has ended. */
  readonly isUnknown: boolean;
}

/** The run of a Pod. */
export function runOf(pod: PodRecord, context: RunContext): Run {
  const success = firstEnd(pod)?.phase === "Succeeded" ? firstEnd(pod) : undefined;
  const end = containersEndedAt(pod);
  const isOwn = success !== undefined && isOwnSuccess(pod);
  return {
    uid: pod.uid,
    createdAt: pod.created?.createdAt ?? 0,
    created: pod.created && orderOf(pod.created),
    start: startedAt(pod),
    end,
    ended: endedOrder(pod),
    hasSucceeded: success !== undefined,
    isOwnSuccess: isOwn,
    forgotten: context.rules.tracking === "untracked" && isOwn ? orderOf(success) : undefined,
    isUnknown: end === undefined && isUnknown(pod, context),
  };
}

/** Two runs of one work unit, the earlier first. */
export interface Pair {
  readonly first: Run;
  readonly second: Run;
  readonly overlap: Overlap;
}

/** The runs that did the same work as a run before. Retries of a failed run are none. */
export function pairsOfAll(runs: ReadonlyMap<number, readonly Run[]>): readonly Pair[] {
  return [...runs.entries()].sort(([a], [b]) => a - b).flatMap(([, ofWorkUnit]) => pairsOf(ofWorkUnit));
}

function pairsOf(runs: readonly Run[]): readonly Pair[] {
  const sorted = runs.toSorted(byRunCreation);
  const earliestStarts = startsFrom(sorted);
  return sorted.flatMap((first, index) => {
    if (isOverBefore(first, earliestStarts[index + 1])) return [];
    for (const second of sorted.slice(index + 1)) {
      const overlap = compareRuns(first, second);
      if (overlap !== undefined) return [{ first, second, overlap }];
    }
    return [];
  });
}

/** Most runs failed before the next began, and a Job may have thousands of those. They are not compared one by one. */
function isOverBefore(
  { end, hasSucceeded, isUnknown: mayStillRun }: Run,
  earliestStart = Number.POSITIVE_INFINITY,
): boolean {
  return !hasSucceeded && !mayStillRun && (end === undefined || earliestStart >= end);
}

/** For each position, the earliest start of an index from there on. */
function startsFrom(runs: readonly Run[]): readonly Instant[] {
  const starts: Instant[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    earliest = Math.min(earliest, runs[index]?.start ?? Number.POSITIVE_INFINITY);
    starts[index] = earliest;
  }
  return starts;
}

function compareRuns(first: Run, second: Run): Overlap | undefined {
  const { start } = second;
  if (start === undefined || isReRun(first, second)) return undefined;
  if (first.end !== undefined && start < first.end && !isCreatedAfterEnd(first, second)) return "atOnce";
  if (first.hasSucceeded) return first.isOwnSuccess ? "afterSuccess" : "afterStop";
  return first.isUnknown ? "unknownEnd" : undefined;
}

/** The clocks of two nodes differ. The resourceVersions of one resource type do not. */
function isCreatedAfterEnd({ ended }: Run, { created }: Run): boolean {
  return ended !== undefined && created !== undefined && compareOrder(created, ended) > 0;
}

/** A controller that forgets successes creates Pods after them. They are re-runs after success, another finding. */
function isReRun({ forgotten }: Run, { created }: Run): boolean {
  return forgotten !== undefined && created !== undefined && compareOrder(created, forgotten) > 0;
}

/** Orders runs by the creation of their Pods. */
export function byRunCreation(a: Run, b: Run): number {
  return a.createdAt - b.createdAt || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);
}

/**
 * When the containers ended, if they say so. A phase that was written for a lost node says nothing about them, unless
 * their ends were observed later.
 */
export function containersEndedAt(pod: PodRecord): Instant | undefined {
  const isKnown = lastEnds(pod).some((end) => isMain(pod, end) && end.finishedAt !== undefined);
  return isKnown && outcomeOf(pod) !== "Unknown" ? endedAt(pod) : undefined;
}

function endedOrder(pod: PodRecord): Order | undefined {
  const end = firstEnd(pod);
  return end === undefined || isStillRunning(pod) ? undefined : orderOf(endOrder(pod, end));
}

/**
 * The end was not observed or says nothing, and the Job controller, which has the kubelet stop the containers, did not
 * delete the Pod.
 */
function isUnknown(first: PodRecord, { job, clusterContext }: RunContext): boolean {
  const outcome = outcomeOf(first);
  if (outcome === "Active") return true;
  if (outcome === "Failed" || outcome === "Succeeded") return false;
  return attributePodDeletion(first, job, clusterContext)?.actor !== "job-controller";
}

/**
 * A run that the container runtime lost, and that the kubelet replaced in the same Pod: it may have done the work
 * (real-cluster.md: two of those had ended with 0).
 */
export function lostRunOf(pod: PodRecord): ContainerEnded | undefined {
  const ends = [...(pod.ended?.values() ?? [])].filter((end) => isMain(pod, end));
  return ends.find(
    (end) =>
      isLostByRuntime(end) &&
      ends.some(({ container, restartCount }) => container === end.container && restartCount > end.restartCount),
  );
}
