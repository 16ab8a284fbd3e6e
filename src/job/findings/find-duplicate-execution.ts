import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { type Evidence, podEvidence, type PodRef, podRef } from "../model/evidence.ts";
import type { ContainerEnded } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import { compareOrder, type Order, orderOf } from "../model/order.ts";
import { firstEnd, isLostByRuntime, isStillRunning, outcomeOf } from "../model/outcome.ts";
import { endedAt, endOrder, hasRun, isMain, isOwnSuccess, lastEnds, startedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import type { Find, FindingContext, FindingOf, FindingSearch } from "./finding-search.ts";
import { MAX_NAMED_PODS, PodSample } from "./pod-sample.ts";
import { workUnitOf } from "./work-unit.ts";
import { WorkUnitOrders } from "./work-unit-orders.ts";

export type DuplicateExecution = FindingOf<
  "DuplicateExecution",
  {
    /** At least one pair is certain; otherwise it is unknown whether any first run had done its work. */
    readonly certain: boolean;
    /** The number of pairs. */
    readonly times: number;
    /** The first pairs; at most {@link MAX_PAIRS}. */
    readonly pairs: readonly DuplicatePair[];
  },
  DuplicateExecutionShows
>;

/** Two runs of one work unit, the earlier first. */
export interface DuplicatePair {
  readonly first: PodRef;
  readonly second: PodRef;
  readonly overlap: Overlap;
  readonly secondSucceeded: boolean;
}
/**
 * How the second run relates to the first. `afterStop`: the first run was asked to stop and exited with 0.
 * `unknownEnd`: the end of the first run is unknown. `inPlace`: the end is unknown, and both are runs of one container.
 */
export type Overlap = "atOnce" | "afterSuccess" | "afterStop" | "unknownEnd" | "inPlace";
const CERTAIN: ReadonlySet<Overlap> = new Set(["atOnce", "afterSuccess"]);

export type DuplicateExecutionShows =
  | { readonly what: "started"; readonly node?: string }
  | { readonly what: "ended"; readonly phase: "Succeeded" | "Failed"; readonly ranMillis?: number }
  /** The phase became Failed, and the end of the containers was not observed. */
  | { readonly what: "failedUnobserved" }
  /** The container runtime lost a run, and the kubelet started the container again. */
  | { readonly what: "runLost"; readonly container: string };

/** The most pairs that the finding describes one by one. */
export const MAX_PAIRS = 3;

/**
 * One work unit that two Pods ran: at the same time, again after it had succeeded, or again while the end of the first
 * run was unknown. It applies only if each Pod has one work unit: an index, or the Job's only completion. A failed run
 * and its retry are no duplicate.
 */
export const findDuplicateExecution: Find<DuplicateExecution> = (context) => new DuplicateSearch(context);

/**
 * The first pass counts the runs of each work unit, the second records those of repeated work units, and the third
 * fetches the Pods that the finding names.
 */
class DuplicateSearch implements FindingSearch<DuplicateExecution> {
  readonly #context: FindingContext;
  readonly #workUnits = new WorkUnitOrders();
  readonly #runs = new Map<number, Run[]>();
  readonly #namedPods = new Map<string, PodRecord>();
  #pairs: readonly Pair[] | undefined;
  #named: ReadonlySet<string> | undefined;
  readonly #inPlace = new PodSample();

  constructor(context: FindingContext) {
    this.#context = context;
  }

  visit(pod: PodRecord): void {
    const workUnit = this.#workUnitOfRun(pod);
    if (workUnit !== undefined) this.#workUnits.add(workUnit, pod.created);
    if (lostRunOf(pod) !== undefined) this.#inPlace.add(pod);
  }

  nextPass() {
    if (!this.#workUnits.hasRepeated || this.#named !== undefined) return undefined;
    if (this.#runs.size === 0) return (pod: PodRecord) => this.#record(pod);
    this.#pairs = pairsOfAll(this.#runs);
    this.#named = namedIn(this.#pairs);
    return this.#pairs.length === 0 ? undefined : (pod: PodRecord) => this.#fetch(pod);
  }

  found(): readonly DuplicateExecution[] {
    const pairs = this.#pairs ?? [];
    const finding = pairs.length === 0 ? undefined : findingOf(pairs, this.#namedPods);
    return this.#inPlace.count === 0 ? [finding].filter(isFound) : [withRunsInPlace(finding, this.#inPlace)];
  }

  #workUnitOfRun(pod: PodRecord): number | undefined {
    return hasRun(pod) ? workUnitOf(pod, this.#context) : undefined;
  }

  #record(pod: PodRecord): void {
    const workUnit = this.#workUnitOfRun(pod);
    if (workUnit === undefined || !this.#workUnits.isRepeated(workUnit)) return;
    const known = this.#runs.get(workUnit);
    const run = runOf(pod, this.#context);
    if (known === undefined) this.#runs.set(workUnit, [run]);
    else known.push(run);
  }

  #fetch(pod: PodRecord): void {
    if (this.#named?.has(pod.uid) === true) this.#namedPods.set(pod.uid, pod);
  }
}

/** The data needed to compare runs: a tenth of a Pod's record. */
interface Run {
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

function runOf(pod: PodRecord, context: FindingContext): Run {
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

interface Pair {
  readonly first: Run;
  readonly second: Run;
  readonly overlap: Overlap;
}

function pairsOfAll(runs: ReadonlyMap<number, readonly Run[]>): readonly Pair[] {
  return [...runs.entries()].sort(([a], [b]) => a - b).flatMap(([, ofWorkUnit]) => pairsOf(ofWorkUnit));
}

function pairsOf(runs: readonly Run[]): readonly Pair[] {
  const sorted = runs.toSorted(byCreation);
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

/** A controller that forgets successes creates Pods after them: find-re-run-after-success.ts reports those. */
function isReRun({ forgotten }: Run, { created }: Run): boolean {
  return forgotten !== undefined && created !== undefined && compareOrder(created, forgotten) > 0;
}

function byCreation(a: Run, b: Run): number {
  return a.createdAt - b.createdAt || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);
}

/**
 * When the containers ended, if they say so. A phase that was written for a lost node says nothing about them, unless
 * their ends were observed later.
 */
function containersEndedAt(pod: PodRecord): Instant | undefined {
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
function isUnknown(first: PodRecord, { job, clusterContext }: FindingContext): boolean {
  const outcome = outcomeOf(first);
  if (outcome === "Active") return true;
  if (outcome === "Failed" || outcome === "Succeeded") return false;
  return attributePodDeletion(first, job, clusterContext)?.actor !== "job-controller";
}

/** The Pods that the finding names or has evidence of. */
function namedIn(pairs: readonly Pair[]): ReadonlySet<string> {
  const inEvidence = pairs.slice(0, MAX_NAMED_PODS).flatMap(({ first, second }) => [first, second]);
  return new Set([...inEvidence, ...runsOf(pairs).slice(0, MAX_NAMED_PODS)].map(({ uid }) => uid));
}

/** Each run once, by creation. */
function runsOf(pairs: readonly Pair[]): readonly Run[] {
  return [...new Set(pairs.flatMap(({ first, second }) => [first, second]))].sort(byCreation);
}

function findingOf(pairs: readonly Pair[], namedPods: ReadonlyMap<string, PodRecord>): DuplicateExecution {
  const runs = runsOf(pairs);
  const podOf = ({ uid }: Run): PodRecord => namedPods.get(uid) ?? { uid };
  return {
    kind: "DuplicateExecution",
    certain: pairs.some(({ overlap }) => CERTAIN.has(overlap)),
    times: pairs.length,
    pairs: pairs.slice(0, MAX_PAIRS).map(({ first, second, overlap }) => ({
      first: podRef(podOf(first)),
      second: podRef(podOf(second)),
      overlap,
      secondSucceeded: second.hasSucceeded,
    })),
    ...sinceSecond(pairs),
    pods: runs.slice(0, MAX_NAMED_PODS).map((run) => podRef(podOf(run))),
    podCount: runs.length,
    evidence: pairs
      .slice(0, MAX_NAMED_PODS)
      .flatMap(({ first, second }) => [...runEvidence(podOf(first)), ...runEvidence(podOf(second))]),
  };
}

function isFound(finding: DuplicateExecution | undefined): finding is DuplicateExecution {
  return finding !== undefined;
}

/**
 * A run that the container runtime lost, and that the kubelet replaced in the same Pod: it may have done the work
 * (real-cluster.md: two of those had ended with 0).
 */
function lostRunOf(pod: PodRecord): ContainerEnded | undefined {
  const ends = [...(pod.ended?.values() ?? [])].filter((end) => isMain(pod, end));
  return ends.find(
    (end) =>
      isLostByRuntime(end) &&
      ends.some(({ container, restartCount }) => container === end.container && restartCount > end.restartCount),
  );
}

function withRunsInPlace(finding: DuplicateExecution | undefined, inPlace: PodSample): DuplicateExecution {
  const { pods } = inPlace.named;
  const pairs = inPlace.pods.map((pod) => ({
    first: podRef(pod),
    second: podRef(pod),
    overlap: "inPlace" as const,
    secondSucceeded: outcomeOf(pod) === "Succeeded",
  }));
  const evidence = inPlace.pods.flatMap(lostRunEvidence);
  const times = inPlace.count;
  if (finding === undefined) {
    const named = { pods, podCount: inPlace.count };
    return { kind: "DuplicateExecution", certain: false, times, pairs: pairs.slice(0, MAX_PAIRS), ...named, evidence };
  }
  return {
    ...finding,
    times: finding.times + times,
    pairs: [...finding.pairs, ...pairs].slice(0, MAX_PAIRS),
    evidence: [...finding.evidence, ...evidence],
  };
}

function lostRunEvidence(pod: PodRecord): readonly Evidence<DuplicateExecutionShows>[] {
  const end = lostRunOf(pod);
  return end === undefined ? [] : [podEvidence(pod, end, { shows: { what: "runLost", container: end.container } })];
}

function sinceSecond(pairs: readonly Pair[]): { readonly since?: Instant } {
  const since = pairs.reduce((first, { second }) => Math.min(first, second.start ?? first), Number.POSITIVE_INFINITY);
  return Number.isFinite(since) ? { since } : {};
}

function runEvidence(pod: PodRecord): readonly Evidence<DuplicateExecutionShows>[] {
  const { started, scheduled } = pod;
  const end = firstEnd(pod);
  const startShown: DuplicateExecutionShows = { what: "started", ...(scheduled && { node: scheduled.node }) };
  const start = started === undefined ? [] : [podEvidence(pod, started, { shows: startShown })];
  if (end === undefined) return start;
  const at = containersEndedAt(pod);
  const ranMillis = at === undefined || started?.startedAt === undefined ? undefined : at - started.startedAt;
  const endShown: DuplicateExecutionShows =
    at === undefined
      ? { what: "failedUnobserved" }
      : { what: "ended", phase: end.phase, ...(ranMillis !== undefined && { ranMillis }) };
  return [...start, podEvidence(pod, end, { shows: endShown, at })];
}
