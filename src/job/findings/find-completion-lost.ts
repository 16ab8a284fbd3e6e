import type { FactRef, Finding } from "../../explain/answer-document.ts";
import type { Ledger } from "../accounting/ledger.ts";
import { podFactRef } from "../model/fact-ref.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { countedAs, type LedgerEntry, ledgerOf } from "../accounting/ledger.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { workUnitOf } from "./work-unit.ts";
import { WorkUnitOrders } from "./work-unit-orders.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { reportedTotal } from "../accounting/reported-total.ts";
import { count } from "../../text/sentence.ts";

/**
 * Successes that Kubernetes does not count, in a Job whose Pods it counts by finalizer: the finalizer was taken off before the Job
 * controller had accounted for the Pod, or the Pod was counted as failed before its success was heard of. That a finalizer was taken off by
 * somebody else after the success shows where the controller then made another Pod for the same piece of work, and else by the counters alone.
 */
export const findCompletionLost: Find = (context) => {
  const lost = new PodSample();
  const counted = new PodSample();
  const pieces = new WorkUnitOrders();
  let hasLookedAgain = false;
  return {
    look(pod) {
      if (context.rules.tracking !== "tracked") return;
      const piece = workUnitOf(pod, context);
      if (piece !== undefined && pod.created !== undefined) pieces.add(piece, pod.created);
      if (firstEnd(pod)?.phase !== "Succeeded") return;
      const ledger = countedAs(ledgerOf(pod, context.rules));
      if (ledger === "succeeded") counted.add(pod);
      else if (isLost(pod, context)) lost.add(pod);
    },
    again() {
      if (!pieces.hasRepeated || hasLookedAgain) return undefined;
      hasLookedAgain = true;
      return (pod) => {
        if (isRunAgain(pod, pieces, context)) lost.add(pod);
      };
    },
    found() {
      if (lost.count > 0) return [findingOf(lost, context)];
      const missing = missingFrom(counted.count, context);
      return missing > 0 ? [missingFinding(missing, counted)] : [];
    },
  };
};

/** The Job still wanted the success, and nobody had said that it should go uncounted. */
function isLost(pod: PodRecord, { job, rules }: FindingContext): boolean {
  const isGoing = job.deletionRequested !== undefined || job.deleted !== undefined;
  return !isGoing && pod.released === undefined && isWanted(pod, rules) && isOwnSuccess(pod);
}

/**
 * The controller takes the finalizer off a success when it has counted it, and makes no Pod for a piece of work that is done: where it made one
 * after the finalizer was off, it was not the controller who took it off.
 */
function isRunAgain(pod: PodRecord, pieces: WorkUnitOrders, context: FindingContext): boolean {
  const { succeeded, failed, untracked } = pod;
  const piece = workUnitOf(pod, context);
  if (piece === undefined || succeeded?.tracked !== true || untracked === undefined) return false;
  // Called Failed before the finalizer went, it was counted so: find-success-flipped.ts tells.
  if (failed !== undefined) return false;
  return pieces.hasAfter(piece, untracked) && isCountedFor(piece, ledgerOf(pod, context.rules), context);
}

/** An index that the Job shrank below is forgotten by design (job-semantics 4.2). */
function isCountedFor(piece: number, entry: LedgerEntry, { rules }: FindingContext): boolean {
  return entry.ledger === "succeeded" && (rules.completions === undefined || entry.index === piece);
}

function isWanted({ created }: PodRecord, { completions }: FindingContext["rules"]): boolean {
  const index = created?.index;
  return completions === undefined || (index !== undefined && index < completions);
}

/** The program's own success, not what it says when it is told to stop. */
function isOwnSuccess(pod: PodRecord): boolean {
  const { deletionRequested, untracked, succeeded } = pod;
  if (deletionRequested === undefined || succeeded === undefined) return true;
  if (compareOrder(deletionRequested, succeeded) > 0) return true;
  // Taken off first, then deleted: the Job controller released it (job-semantics 3.4), and does not count it by design.
  if (!deletionRequested.tracked && untracked !== undefined) return false;
  return (endedAt(pod) ?? succeeded.at) <= instantOf(deletionRequested);
}

function findingOf(lost: PodSample, { rules }: FindingContext): Finding {
  const ledger = (pod: PodRecord): Ledger | undefined => countedAs(ledgerOf(pod, rules));
  const asFailed = lost.pods.filter((pod) => ledger(pod) === "failed").length;
  const how =
    asFailed === 0
      ? "is not counted"
      : asFailed === lost.count
        ? "is counted as failed"
        : "is not counted, or counted as failed";
  const names = lost.list();
  const many = lost.count > 1;
  const message = `${count(lost.count, "Pod")} succeeded, and Kubernetes lost ${many ? "the successes" : "that"} (${names}): ${many ? "each" : "it"} ${how}.`;
  const evidence = lost.pods.flatMap((pod) => refs(pod, ledger(pod)));
  return { kind: "CompletionLost", message, ...lost.since(endedAt), ...lost.named, evidence };
}

function refs(pod: PodRecord, ledger: Ledger | undefined): readonly FactRef[] {
  const { succeeded, failed, untracked, deletionRequested } = pod;
  return [
    ...(ledger === "failed" && failed?.tracked === true
      ? [podFactRef(pod, failed, "was called Failed before it was counted")]
      : []),
    ...(ledger === "failed" && deletionRequested !== undefined
      ? [podFactRef(pod, deletionRequested, "was asked to go, and counted as failed for it")]
      : []),
    ...(untracked === undefined ? [] : [podFactRef(pod, untracked, untrackedText(ledger))]),
    ...(succeeded === undefined ? [] : [podFactRef(pod, succeeded, "succeeded", endedAt(pod))]),
  ];
}

function untrackedText(ledger: Ledger | undefined): string {
  const off = "was without the tracking finalizer";
  return ledger === "succeeded" ? `${off}; another Pod was made for its work after that` : off;
}

/** How many of the successes are not in the counter of a Job that Kubernetes calls finished, and whose counters no longer change. */
function missingFrom(successes: number, { job, rules }: FindingContext): number {
  const { reported, deletionRequested } = job;
  const isSettled = (job.complete ?? job.failed) !== undefined && deletionRequested === undefined;
  if (!isSettled || reported === undefined || rules.completions !== undefined) return 0;
  return successes - reportedTotal(reported.status, "succeeded");
}

function missingFinding(missing: number, counted: PodSample): Finding {
  const { pods, count: all } = counted;
  const evidence = pods.flatMap((pod) =>
    pod.succeeded === undefined ? [] : [podFactRef(pod, pod.succeeded, "succeeded", endedAt(pod))],
  );
  const message =
    `${count(all, "Pod")} succeeded, and Kubernetes counted ${all - missing}: ${count(missing, "success")} lost, most likely because the tracking ` +
    "finalizer was taken off by hand.";
  return { kind: "CompletionLost", message, ...counted.named, evidence };
}
