import type { FactRef, Finding, Ledger } from "./answer.ts";
import { podFactRef } from "./fact-ref.ts";
import { instantOf } from "./fact-instant.ts";
import type { Find, FindingContext } from "./finding-search.ts";
import { countedAs, ledgerOf } from "./ledger.ts";
import { compareOrder } from "./order.ts";
import { firstEnd } from "./outcome.ts";
import { endedAt } from "./pod-end.ts";
import type { PodRecord } from "./pod-record.ts";
import { PodSample } from "./pod-sample.ts";
import { reportedTotal } from "./reported-total.ts";
import { count } from "./sentence.ts";

/**
 * Successes that Kubernetes does not count, in a Job whose Pods it counts by finalizer: the finalizer was taken off before the Job
 * controller had accounted for the Pod, or the Pod was counted as failed before its success was heard of.
 */
export const findCompletionLost: Find = (context) => {
  const lost = new PodSample();
  const counted = new PodSample();
  return {
    look(pod) {
      if (context.rules.tracking !== "tracked" || firstEnd(pod)?.phase !== "Succeeded") return;
      const ledger = countedAs(ledgerOf(pod, context.rules));
      if (ledger === "succeeded") counted.add(pod);
      else if (isLost(pod, context)) lost.add(pod);
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
  const { succeeded, untracked, deletionRequested } = pod;
  return [
    ...(ledger === "failed" && deletionRequested !== undefined
      ? [podFactRef(pod, deletionRequested, "was asked to go, and counted as failed for it")]
      : []),
    ...(untracked === undefined ? [] : [podFactRef(pod, untracked, "was without the tracking finalizer")]),
    ...(succeeded === undefined ? [] : [podFactRef(pod, succeeded, "succeeded", endedAt(pod))]),
  ];
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
