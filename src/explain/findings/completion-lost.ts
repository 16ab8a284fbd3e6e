import { countedAs, type Ledger, type LedgerEntry, ledgerOf } from "../../job/accounting/ledger.ts";
import { reportedTotal } from "../../job/accounting/reported-total.ts";
import { PodSample } from "../../job/evidence/pod-sample.ts";
import { WorkUnitOrders } from "../../job/evidence/work-unit-orders.ts";
import { workUnitOf } from "../../job/evidence/work-unit.ts";
import { type Evidence, podEvidence } from "../../job/model/evidence.ts";
import { compareOrder } from "../../job/model/order.ts";
import { firstEnd } from "../../job/model/outcome.ts";
import { endedAt, isOwnSuccess } from "../../job/model/pod-end.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { count } from "../../job/text/sentence.ts";
import { presentAll } from "../present-evidence.ts";
import type { FindingRegistration, KindText } from "./finding-registration.ts";
import type { Find, FindingContext, FindingOf } from "./finding-search.ts";
import { listPods } from "./pod-names.ts";

export type CompletionLost = FindingOf<
  "CompletionLost",
  | {
      readonly loss: "ofPods";
      readonly podCount: number;
      /** How Kubernetes counts the named Pods instead. */
      readonly countedAs: "nothing" | "failed" | "either";
    }
  /** The Job's counter is lower than the number of successes. Which Pods are missing from it is unknown. */
  | { readonly loss: "ofCounter"; readonly podCount: number; readonly missing: number },
  CompletionLostShows
>;
export type CompletionLostShows = {
  readonly what: "succeeded" | "failedBeforeCounted" | "deletionCountedAsFailure" | "finalizerOff" | "replaced";
};

/**
 * Successes that Kubernetes does not count, in a Job that is counted by finalizer. Either the finalizer was removed
 * before the Job controller had counted the Pod, or the Pod was counted as failed first. If another client removed the
 * finalizer after the success, only a new Pod for the same work unit, or the Job's counters, show it.
 */
const find: Find<CompletionLost> = (context) => {
  const lost = new PodSample();
  const counted = new PodSample();
  const workUnits = new WorkUnitOrders();
  let hasSecondPass = false;
  return {
    visit(pod) {
      if (context.rules.tracking !== "tracked") return;
      const workUnit = workUnitOf(pod, context);
      if (workUnit !== undefined && pod.created !== undefined) workUnits.add(workUnit, pod.created);
      if (firstEnd(pod)?.phase !== "Succeeded") return;
      const ledger = countedAs(ledgerOf(pod, context.rules));
      if (ledger === "succeeded") counted.add(pod);
      else if (isLost(pod, context)) lost.add(pod);
    },
    nextPass() {
      if (!workUnits.hasRepeated || hasSecondPass) return undefined;
      hasSecondPass = true;
      return (pod) => {
        if (isReplaced(pod, workUnits, context)) lost.add(pod);
      };
    },
    found() {
      if (lost.count > 0) return [lossOfPods(lost, context)];
      const missing = missingFrom(counted.count, context);
      return missing > 0 ? [lossOfCounter(missing, counted)] : [];
    },
  };
};

/** What the page says about the kind. */
export const completionLostText: KindText = {
  title: "Completion lost",
  meaning: "A Pod succeeded, but Kubernetes does not count it.",
};

export const completionLost: FindingRegistration<CompletionLost> = {
  rule: { of: "managedJob", find },
  message: messageOf,
  evidence: ({ evidence }) => presentAll(evidence, ({ what }) => SHOWN[what]),
  remedies: (finding) => [
    ...(isCountedAsFailed(finding)
      ? []
      : ["Let only the Job controller remove the finalizer batch.kubernetes.io/job-tracking."]),
    "Make the work safe to run twice: Kubernetes may run it again for a success it did not count.",
  ],
  headline: {
    place: "doubtful",
    clauses: ({ podCount }) => [{ full: `Kubernetes lost ${count(podCount, "success")}` }],
  },
  contradictsReport: true,
};

/** The Job still needed the success, and no deletion or release explains why it is not counted. */
function isLost(pod: PodRecord, { job, rules }: FindingContext): boolean {
  const isGoing = job.deletionRequested !== undefined || job.deleted !== undefined;
  if (isGoing || pod.released !== undefined || !isNeeded(pod, rules)) return false;
  return !isReleased(pod) && isOwnSuccess(pod);
}

/**
 * The controller removes the finalizer of a success after counting it, and creates no Pod for a work unit that is done.
 * So if it created a Pod after the finalizer was removed, another client had removed the finalizer.
 */
function isReplaced(pod: PodRecord, workUnits: WorkUnitOrders, context: FindingContext): boolean {
  const { succeeded, failed, untracked } = pod;
  const workUnit = workUnitOf(pod, context);
  if (workUnit === undefined || succeeded?.tracked !== true || untracked === undefined) return false;
  // A Pod that was Failed before the finalizer went was counted so: success-flipped.ts reports it.
  if (failed !== undefined) return false;
  return workUnits.hasAfter(workUnit, untracked) && isCountedFor(workUnit, ledgerOf(pod, context.rules), context);
}

/** The Job forgets an index by design when it shrinks below it (job-semantics 4.2). */
function isCountedFor(workUnit: number, entry: LedgerEntry, { rules }: FindingContext): boolean {
  return entry.ledger === "succeeded" && (rules.completions === undefined || entry.index === workUnit);
}

function isNeeded({ created }: PodRecord, { completions }: FindingContext["rules"]): boolean {
  const index = created?.index;
  return completions === undefined || (index !== undefined && index < completions);
}

/**
 * The Job controller removed the finalizer and then deleted the Pod (job-semantics 3.4). It does not count such a Pod.
 */
function isReleased({ deletionRequested, untracked, succeeded }: PodRecord): boolean {
  if (deletionRequested === undefined || succeeded === undefined || untracked === undefined) return false;
  return !deletionRequested.tracked && compareOrder(deletionRequested, succeeded) <= 0;
}

function lossOfPods(lost: PodSample, { rules }: FindingContext): CompletionLost {
  const ledger = (pod: PodRecord): Ledger | undefined => countedAs(ledgerOf(pod, rules));
  const asFailed = lost.pods.filter((pod) => ledger(pod) === "failed").length;
  return {
    kind: "CompletionLost",
    loss: "ofPods",
    countedAs: asFailed === 0 ? "nothing" : asFailed === lost.count ? "failed" : "either",
    ...lost.since(endedAt),
    ...lost.named,
    evidence: lost.pods.flatMap((pod) => evidenceOf(pod, ledger(pod))),
  };
}

function evidenceOf(pod: PodRecord, ledger: Ledger | undefined): readonly Evidence<CompletionLostShows>[] {
  const { succeeded, failed, untracked, deletionRequested } = pod;
  const isFailed = ledger === "failed";
  const off = ledger === "succeeded" ? "replaced" : "finalizerOff";
  const of = (fact: Parameters<typeof podEvidence>[1] | undefined, what: CompletionLostShows["what"]) =>
    fact === undefined ? [] : [podEvidence(pod, fact, { shows: { what } })];
  return [
    ...(isFailed && failed?.tracked === true ? of(failed, "failedBeforeCounted") : []),
    ...(isFailed ? of(deletionRequested, "deletionCountedAsFailure") : []),
    ...of(untracked, off),
    ...successEvidence(pod, succeeded),
  ];
}

function successEvidence(pod: PodRecord, succeeded: PodRecord["succeeded"]): readonly Evidence<CompletionLostShows>[] {
  return succeeded === undefined
    ? []
    : [podEvidence(pod, succeeded, { shows: { what: "succeeded" }, at: endedAt(pod) })];
}

/** The number of successes that the final counter of a finished Job lacks. */
function missingFrom(successes: number, { job, rules }: FindingContext): number {
  const { reported, deletionRequested } = job;
  const isSettled = (job.complete ?? job.failed) !== undefined && deletionRequested === undefined;
  if (!isSettled || reported === undefined || rules.completions !== undefined) return 0;
  return successes - reportedTotal(reported.status, "succeeded");
}

function lossOfCounter(missing: number, counted: PodSample): CompletionLost {
  const evidence = counted.pods.flatMap((pod) => successEvidence(pod, pod.succeeded));
  return { kind: "CompletionLost", loss: "ofCounter", missing, ...counted.named, evidence };
}

function isCountedAsFailed({ evidence }: CompletionLost): boolean {
  return evidence.some(({ shows }) => shows.what === "deletionCountedAsFailure");
}

function messageOf(finding: CompletionLost): string {
  const { podCount } = finding;
  switch (finding.loss) {
    case "ofPods": {
      const how = COUNTED_AS[finding.countedAs];
      const many = podCount > 1;
      return (
        `${count(podCount, "Pod")} succeeded, and Kubernetes lost ${many ? "the successes" : "that"} ` +
        `(${listPods(finding)}): ${many ? "each" : "it"} ${how}.`
      );
    }
    case "ofCounter":
      return (
        `${count(podCount, "Pod")} succeeded, and Kubernetes counted ${podCount - finding.missing}: ` +
        `${count(finding.missing, "success")} lost, most likely because the tracking finalizer was removed by hand.`
      );
  }
}

const COUNTED_AS = {
  nothing: "is not counted",
  failed: "is counted as failed",
  either: "is not counted, or counted as failed",
} as const;

const SHOWN: Readonly<Record<CompletionLostShows["what"], string>> = {
  succeeded: "succeeded",
  failedBeforeCounted: "was reported Failed before it was counted",
  deletionCountedAsFailure: "was marked for deletion, and counted as failed for that",
  finalizerOff: "was without the tracking finalizer",
  replaced: "was without the tracking finalizer; another Pod was created for its work after that",
};
