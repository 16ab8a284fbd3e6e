import type { FactRef, Finding } from "../../explain/answer-document.ts";
import { durationText } from "../../text/duration-text.ts";
import { podFactRef, podName, podRef } from "../model/fact-ref.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { formatInstant, type Instant } from "../model/instant.ts";
import { compareOrder, type Order, orderOf } from "../model/order.ts";
import { firstEnd, isGone } from "../model/outcome.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { workUnitOf } from "./work-unit.ts";
import { WorkUnitOrders } from "./work-unit-orders.ts";
import { endedAt, hasRun, isMain, startedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { MAX_NAMED_PODS } from "./pod-sample.ts";
import { count, list } from "../../text/sentence.ts";

/**
 * The same piece of work run by two Pods: at once, again after it had succeeded, or again while nobody knows how the first run ended.
 * Only where Pods are for one piece: one index, or a Job with one completion. A failed run and its retry are none. The first look counts the runs of each
 * piece, the second takes down those of pieces that were run more than once, the third fetches the Pods that are told of.
 */
export const findDuplicateExecution: Find = (context) => {
  const pieces = new WorkUnitOrders();
  const runs = new Map<number, Run[]>();
  const told = new Map<string, PodRecord>();
  let pairs: readonly Pair[] | undefined;
  let named: ReadonlySet<string> | undefined;
  const isLookedFor = (pod: PodRecord): number | undefined => (hasRun(pod) ? workUnitOf(pod, context) : undefined);
  const takeDown = (pod: PodRecord): void => {
    const piece = isLookedFor(pod);
    if (piece === undefined || !pieces.isRepeated(piece)) return;
    const known = runs.get(piece);
    const run = runOf(pod, context);
    if (known === undefined) runs.set(piece, [run]);
    else known.push(run);
  };
  const fetch = (pod: PodRecord): void => {
    if (named?.has(pod.uid) === true) told.set(pod.uid, pod);
  };
  return {
    look(pod) {
      const piece = isLookedFor(pod);
      if (piece !== undefined) pieces.add(piece, pod.created);
    },
    again() {
      if (!pieces.hasRepeated || named !== undefined) return undefined;
      if (runs.size === 0) return takeDown;
      pairs = pairsOfAll(runs);
      named = namedIn(pairs);
      return pairs.length === 0 ? undefined : fetch;
    },
    found: () => (pairs === undefined || pairs.length === 0 ? [] : [finding(pairs, told)]),
  };
};

/** One run as far as it is compared with others: a tenth of its Pod's record. */
interface Run {
  readonly uid: PodRecord["uid"];
  readonly createdAt: Instant;
  readonly created: Order | undefined;
  readonly start: Instant | undefined;
  /** When its containers ended, where they say so. */
  readonly end: Instant | undefined;
  readonly hasSucceeded: boolean;
  /** Where a Job forgets its successes: that of this run. */
  readonly forgotten: Order | undefined;
  readonly mayRunOn: boolean;
}

function runOf(pod: PodRecord, context: FindingContext): Run {
  const success = firstEnd(pod)?.phase === "Succeeded" ? firstEnd(pod) : undefined;
  const end = knownEnd(pod);
  return {
    uid: pod.uid,
    createdAt: pod.created?.createdAt ?? 0,
    created: pod.created && orderOf(pod.created),
    start: startedAt(pod),
    end,
    hasSucceeded: success !== undefined,
    forgotten: context.rules.tracking === "untracked" && success ? orderOf(success) : undefined,
    mayRunOn: end === undefined && mayRunOn(pod, context),
  };
}

/** Two runs of one piece, the earlier first, and what is wrong with that. */
interface Pair {
  readonly first: Run;
  readonly second: Run;
  readonly twice: "atOnce" | "afterSuccess" | "maybe";
}

function pairsOfAll(runs: ReadonlyMap<number, readonly Run[]>): readonly Pair[] {
  return [...runs.entries()].sort(([a], [b]) => a - b).flatMap(([, ofPiece]) => pairsOf(ofPiece));
}

function pairsOf(runs: readonly Run[]): readonly Pair[] {
  const sorted = runs.toSorted(byCreation);
  const earliestStarts = startsFrom(sorted);
  return sorted.flatMap((first, place) => {
    if (isOverBefore(first, earliestStarts[place + 1])) return [];
    for (let next = place + 1; next < sorted.length; next += 1) {
      const second = sorted[next];
      const twice = second && compare(first, second);
      if (second !== undefined && twice !== undefined) return [{ first, second, twice }];
    }
    return [];
  });
}

/** Most runs failed before the next began, and a Job may have thousands of those: they are not compared one by one. */
function isOverBefore({ end, hasSucceeded, mayRunOn }: Run, earliestStart = Number.POSITIVE_INFINITY): boolean {
  return !hasSucceeded && !mayRunOn && (end === undefined || earliestStart >= end);
}

/** For each place the earliest start from there on. */
function startsFrom(runs: readonly Run[]): readonly Instant[] {
  const starts: Instant[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (let place = runs.length - 1; place >= 0; place -= 1) {
    earliest = Math.min(earliest, runs[place]?.start ?? Number.POSITIVE_INFINITY);
    starts[place] = earliest;
  }
  return starts;
}

function compare(first: Run, second: Run): Pair["twice"] | undefined {
  const { start } = second;
  if (start === undefined || isReRun(first, second)) return undefined;
  if (first.end !== undefined && start < first.end) return "atOnce";
  if (first.hasSucceeded) return "afterSuccess";
  return first.mayRunOn ? "maybe" : undefined;
}

/** A Job that forgets its successes makes Pods after them: find-re-run-after-success.ts tells those. */
function isReRun({ forgotten }: Run, { created }: Run): boolean {
  return forgotten !== undefined && created !== undefined && compareOrder(created, forgotten) > 0;
}

function byCreation(a: Run, b: Run): number {
  return a.createdAt - b.createdAt || (a.uid < b.uid ? -1 : a.uid > b.uid ? 1 : 0);
}

/** When its containers ended, where they say so: a phase that Pod GC wrote for a lost node says nothing of them. */
function knownEnd(pod: PodRecord): Instant | undefined {
  const told = [...(pod.ended?.values() ?? [])].some((end) => isMain(pod, end) && end.finishedAt !== undefined);
  return told && firstEnd(pod)?.stillRunning === undefined ? endedAt(pod) : undefined;
}

/** Nobody saw the first run end, and it was not stopped by the Job controller, which has the kubelet stop its containers. */
function mayRunOn(first: PodRecord, { job, clusterContext }: FindingContext): boolean {
  if (firstEnd(first)?.phase === "Failed" && firstEnd(first)?.stillRunning === undefined) return false;
  if (!isGone(first) && first.deletionRequested === undefined && firstEnd(first) === undefined) return true;
  return attributePodDeletion(first, job, clusterContext)?.actor !== "job-controller";
}

/** Those that the finding names or has as evidence. */
function namedIn(pairs: readonly Pair[]): ReadonlySet<string> {
  const inEvidence = pairs.slice(0, MAX_NAMED_PODS).flatMap(({ first, second }) => [first, second]);
  return new Set([...inEvidence, ...runsOf(pairs).slice(0, MAX_NAMED_PODS)].map(({ uid }) => uid));
}

/** Each run once, by creation. */
function runsOf(pairs: readonly Pair[]): readonly Run[] {
  return [...new Set(pairs.flatMap(({ first, second }) => [first, second]))].sort(byCreation);
}

function finding(pairs: readonly Pair[], told: ReadonlyMap<string, PodRecord>): Finding {
  const runs = runsOf(pairs);
  const podOf = ({ uid }: Run): PodRecord => told.get(uid) ?? { uid };
  const sure = pairs.some(({ twice }) => twice !== "maybe");
  const times = pairs.length === 1 ? "" : ` (${count(pairs.length, "time")})`;
  const texts = pairs.slice(0, MAX_TOLD_PAIRS).map((pair) => pairText(pair, podOf));
  const message = `The same work ${sure ? "ran" : "may have run"} twice${times}: ${list(texts, MAX_TOLD_PAIRS, pairs.length)}.`;
  return {
    kind: "DuplicateExecution",
    message,
    ...sinceSecond(pairs),
    pods: runs.slice(0, MAX_NAMED_PODS).map((run) => podRef(podOf(run))),
    podCount: runs.length,
    evidence: pairs
      .slice(0, MAX_NAMED_PODS)
      .flatMap(({ first, second }) => [...runRefs(podOf(first)), ...runRefs(podOf(second))]),
  };
}
const MAX_TOLD_PAIRS = 3;

function pairText({ first, second, twice }: Pair, podOf: (run: Run) => PodRecord): string {
  const [a, b] = [where(podOf(first)), where(podOf(second))];
  switch (twice) {
    case "atOnce":
      return `${b} started while ${a} was still running`;
    case "afterSuccess":
      return `${b} ran after ${a} had run to success${second.hasSucceeded ? ", and succeeded too" : ""}`;
    case "maybe":
      return `${b} started, and how ${a} ended is unknown`;
  }
}

function where(pod: PodRecord): string {
  return `${podName(pod)}${pod.scheduled === undefined ? "" : ` (${pod.scheduled.node})`}`;
}

function sinceSecond(pairs: readonly Pair[]): Pick<Finding, "since"> {
  const since = pairs.reduce((first, { second }) => Math.min(first, second.start ?? first), Number.POSITIVE_INFINITY);
  return Number.isFinite(since) ? { since: formatInstant(since) } : {};
}

function runRefs(pod: PodRecord): readonly FactRef[] {
  const { started } = pod;
  const end = firstEnd(pod);
  const at = knownEnd(pod);
  const start = started === undefined ? [] : [podFactRef(pod, started, `started to run${nodeText(pod)}`)];
  if (end === undefined) return start;
  const ran =
    at === undefined || started?.startedAt === undefined ? "" : ` after ${durationText(at - started.startedAt)}`;
  const said =
    at === undefined
      ? "was called Failed, its containers unheard of"
      : `${end.phase === "Succeeded" ? "succeeded" : "failed"}${ran}`;
  return [...start, podFactRef(pod, end, said, at)];
}

function nodeText(pod: PodRecord): string {
  return pod.scheduled === undefined ? "" : ` on ${pod.scheduled.node}`;
}
