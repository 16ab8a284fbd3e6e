import type { FactRef, Finding } from "./answer.ts";
import { durationText } from "./duration-text.ts";
import { podFactRef, podName } from "./fact-ref.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { formatInstant, type Instant } from "./instant.ts";
import { compareOrder } from "./order.ts";
import { firstEnd, isGone, outcomeOf } from "./outcome.ts";
import { attributePodDeletion } from "./pod-deletion.ts";
import { pieceOf } from "./piece-of-work.ts";
import { endedAt, hasRun, isMain, startedAt } from "./pod-end.ts";
import type { PodRecord } from "./pod-record.ts";
import { byCreation, MAX_NAMED_PODS, PodSample } from "./pod-sample.ts";
import { count, list } from "./sentence.ts";

/**
 * The same piece of work run by two Pods: at once, again after it had succeeded, or again while nobody knows how the first run ended.
 * Only where Pods are for one piece: one index, or a Job with one completion. A failed run and its retry are none.
 * Holds the Pods that ran, by piece, until it is asked.
 */
export const findDuplicateExecution: Find = (context) => {
  const pieces = new Map<number, PodRecord[]>();
  return {
    look(pod) {
      const piece = pieceOf(pod, context);
      if (piece === undefined || !hasRun(pod)) return;
      const pods = pieces.get(piece);
      if (pods === undefined) pieces.set(piece, [pod]);
      else pods.push(pod);
    },
    found() {
      const pairs = [...pieces.entries()].sort(([a], [b]) => a - b).flatMap(([, pods]) => pairsOf(pods, context));
      return pairs.length === 0 ? [] : [finding(pairs)];
    },
  };
};

/** Two runs of one piece, the earlier first, and what is wrong with that. */
interface Pair {
  readonly first: PodRecord;
  readonly second: PodRecord;
  readonly twice: "atOnce" | "afterSuccess" | "maybe";
}

function pairsOf(pods: readonly PodRecord[], context: FindingContext): readonly Pair[] {
  if (pods.length < 2) return [];
  const sorted = pods.toSorted(byCreation);
  return sorted.flatMap((first, place) => {
    for (const second of sorted.slice(place + 1)) {
      const twice = compare(first, second, context);
      if (twice !== undefined) return [{ first, second, twice }];
    }
    return [];
  });
}

function compare(first: PodRecord, second: PodRecord, context: FindingContext): Pair["twice"] | undefined {
  const [start, end] = [startedAt(second), knownEnd(first)];
  if (start === undefined) return undefined;
  if (isReRun(first, second, context)) return undefined;
  if (end !== undefined && start < end) return "atOnce";
  if (outcomeOf(first) === "Succeeded") return "afterSuccess";
  return end === undefined && mayRunOn(first, context) ? "maybe" : undefined;
}

/** A Job that forgets its successes makes Pods after them: find-re-run-after-success.ts tells those. */
function isReRun(first: PodRecord, second: PodRecord, { rules }: FindingContext): boolean {
  const end = firstEnd(first);
  if (rules.tracking !== "untracked" || end?.phase !== "Succeeded" || second.created === undefined) return false;
  return compareOrder(second.created, end) > 0;
}

/** When its containers ended, where they say so: a phase that Pod GC wrote for a lost node says nothing of them. */
function knownEnd(pod: PodRecord): Instant | undefined {
  const told = [...(pod.ended?.values() ?? [])].some((end) => isMain(pod, end) && end.finishedAt !== undefined);
  return told && firstEnd(pod)?.stillRunning === undefined ? endedAt(pod) : undefined;
}

/** Nobody saw the first run end, and it was not stopped by the Job controller, which has the kubelet stop its containers. */
function mayRunOn(first: PodRecord, { job, surroundings }: FindingContext): boolean {
  if (firstEnd(first)?.phase === "Failed" && firstEnd(first)?.stillRunning === undefined) return false;
  if (!isGone(first) && first.deletionRequested === undefined && firstEnd(first) === undefined) return true;
  return attributePodDeletion(first, job, surroundings)?.actor !== "job-controller";
}

function finding(pairs: readonly Pair[]): Finding {
  const sample = new PodSample();
  for (const pod of new Set(pairs.flatMap(({ first, second }) => [first, second]))) sample.add(pod);
  const sure = pairs.some(({ twice }) => twice !== "maybe");
  const pieces = pairs.length === 1 ? "" : ` (${count(pairs.length, "time")})`;
  const message = `The same work ${sure ? "ran" : "may have run"} twice${pieces}: ${list(pairs.map(pairText), 3)}.`;
  const evidence = pairs
    .slice(0, MAX_NAMED_PODS)
    .flatMap(({ first, second }) => [...runRefs(first), ...runRefs(second)]);
  return { kind: "DuplicateExecution", message, ...sinceSecond(pairs), ...sample.named, evidence };
}

function pairText({ first, second, twice }: Pair): string {
  const [a, b] = [where(first), where(second)];
  switch (twice) {
    case "atOnce":
      return `${b} started while ${a} was still running`;
    case "afterSuccess":
      return `${b} ran after ${a} had run to success${outcomeOf(second) === "Succeeded" ? ", and succeeded too" : ""}`;
    case "maybe":
      return `${b} started, and how ${a} ended is unknown`;
  }
}

function where(pod: PodRecord): string {
  return `${podName(pod)}${pod.scheduled === undefined ? "" : ` (${pod.scheduled.node})`}`;
}

function sinceSecond(pairs: readonly Pair[]): Pick<Finding, "since"> {
  const starts = pairs.map(({ second }) => startedAt(second)).filter((start) => start !== undefined);
  return starts.length === 0 ? {} : { since: formatInstant(Math.min(...starts)) };
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
