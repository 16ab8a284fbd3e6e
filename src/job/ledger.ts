import type { Ledger } from "./answer.ts";
import { failsIndex } from "./back-off-limit-per-index.ts";
import type { CountingRules } from "./counting-rules.ts";
import { isCutOff } from "./elastic-size.ts";
import { disruptedPodOf, failedPodOf } from "./failed-pod.ts";
import type { PodTerminated } from "./fact.ts";
import { compareOrder, type Order } from "./order.ts";
import { firstEnd } from "./outcome.ts";
import { matchPodFailurePolicy, type PolicyMatch } from "./pod-failure-policy.ts";
import type { PodRecord } from "./pod-record.ts";

/** Where one Pod stands in its Job's books (job-semantics 3). */
export type LedgerEntry =
  | { readonly ledger: "succeeded"; readonly by: Proof; readonly index?: number }
  | { readonly ledger: "failed"; readonly by: Proof; readonly index?: number; readonly indexFailed?: true }
  | { readonly ledger: "ignored" | "void" }
  /** It ended, and the controller had accounted for it when it was first seen so: it is in the Job's own counters. */
  | { readonly ledger: "before"; readonly phase: "Succeeded" | "Failed"; readonly index?: number }
  /** It is being deleted and has not ended: it counts as failed should the Job fail (job-semantics 3.3 c). */
  | { readonly ledger: "uponFailure" }
  /** Nothing is decided. */
  | { readonly ledger: "open" };

/** The fact that put a Pod in its ledger. */
export interface Proof extends Order {
  /** The finalizer was on at that moment: the Pod was not yet in a counter. */
  readonly tracked: boolean;
  /** It counts because it was deleted before it ended (job-semantics 3.3 b). */
  readonly deletion?: true;
  /**
   * It was deleted before it ended and then succeeded, the finalizer on all the while: what it counts as depends on when the controller looked. Present with
   * the first sight of the finalizer being off, after which the Job's own counters and lists have it.
   */
  readonly contested?: Order;
}

const OPEN: LedgerEntry = { ledger: "open" };
const VOID: LedgerEntry = { ledger: "void" };

/** The Pod's place by its own facts. A uid that a Job's status lists keeps the class it is listed with; that is for known-totals.ts. */
export function ledgerOf(pod: PodRecord, rules: CountingRules): LedgerEntry {
  return rules.tracking === "tracked" ? trackedLedger(pod, rules) : untrackedLedger(pod, rules);
}

/** How an attempt shows its ledger; `undefined` while nothing is decided. */
export function countedAs(entry: LedgerEntry): Ledger | undefined {
  switch (entry.ledger) {
    case "succeeded":
    case "failed":
    case "ignored":
    case "void":
      return entry.ledger;
    case "before":
      return entry.phase === "Succeeded" ? "succeeded" : "failed";
    case "uponFailure":
    case "open":
      return undefined;
  }
}

/** Without finalizers every Pod that is seen to end counts by its first terminal phase, for ever; a Pod that went without one is no failure. */
function untrackedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const end = firstEnd(pod);
  return end === undefined ? OPEN : endedLedger(pod, end, { ...orderOf(end), tracked: false }, rules);
}

function trackedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const end = accountableEnd(pod);
  if (rules.mode === "eager") {
    const deletion = trackedDeletion(pod);
    if (deletion !== undefined && (end === undefined || compareOrder(deletion, end) < 0)) {
      return failedLedger(pod, { ...deletion, ...contestOf(pod) }, { counted: true }, rules);
    }
  }
  if (end === undefined) return unendedLedger(pod, rules);
  if (end.tracked) return endedLedger(pod, end, { ...orderOf(end), tracked: true }, rules);
  if (wasReleasedBefore(pod, end)) return wasDeletedBefore(pod, end) ? unendedLedger(pod, rules) : VOID;
  if (!rules.reported) return endedLedger(pod, end, { ...orderOf(end), tracked: false }, rules);
  return beforeLedger(pod, end, rules);
}

/** The end that upstream counted: the first terminal phase seen with the finalizer on; else the first there was. */
function accountableEnd(pod: PodRecord): PodTerminated | undefined {
  const first = firstEnd(pod);
  if (first === undefined || first.tracked) return first;
  return [pod.succeeded, pod.failed].find((end) => end?.tracked === true) ?? first;
}

/** The first sight of the Pod's deletion, where the finalizer was still on: whoever deletes to release takes it off first (job-semantics 3.4). */
function trackedDeletion({ deletionRequested, deleted }: PodRecord): Proof | undefined {
  const deletion = deletionRequested ?? deleted;
  return deletion?.tracked === true ? { ...orderOf(deletion), tracked: true, deletion: true } : undefined;
}

function contestOf({ succeeded, untracked, deleted }: PodRecord): { readonly contested?: Order } {
  const off = untracked ?? deleted;
  if (succeeded?.tracked !== true || off === undefined || compareOrder(off, succeeded) < 0) return {};
  return { contested: orderOf(off) };
}

/** A Pod that had not ended when its finalizer went, or that never ended, as far as is known. */
function unendedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  if (trackedDeletion(pod) === undefined) return isWithoutFinalizer(pod) ? VOID : OPEN;
  const countsUponFailure = rules.mode === "waiting" && isCountable(pod, rules) && !mayHaveEndedUnseen(pod);
  return countsUponFailure && matchDisruption(pod, rules).counted ? { ledger: "uponFailure" } : OPEN;
}

/** The Pod is gone, and what was last seen of it may not be the last that was. A DELETED event holds the last stored object. */
function mayHaveEndedUnseen({ vanished, deleted, observed, succeeded, failed }: PodRecord): boolean {
  if (succeeded !== undefined || failed !== undefined) return false;
  if (deleted === undefined) return vanished !== undefined;
  return observed === undefined || compareOrder(observed, deleted) < 0;
}

/** Seen without the finalizer, and not only before the Job adopted it. */
function isWithoutFinalizer({ untracked, tracked }: PodRecord): boolean {
  return untracked !== undefined && (tracked === undefined || compareOrder(tracked, untracked) < 0);
}

/** Seen without the finalizer while it had not ended. */
function wasReleasedBefore(pod: PodRecord, end: PodTerminated): boolean {
  const { untracked } = pod;
  return untracked !== undefined && isWithoutFinalizer(pod) && compareOrder(untracked, end) < 0;
}

/** The finalizer went while the Pod was being deleted: that is a verdict's way, not a release. */
function wasDeletedBefore({ untracked, deletionRequested }: PodRecord, end: PodTerminated): boolean {
  if (untracked === undefined || deletionRequested?.tracked !== true) return false;
  return compareOrder(deletionRequested, untracked) < 0 && compareOrder(deletionRequested, end) < 0;
}

function endedLedger(pod: PodRecord, end: PodTerminated, by: Proof, rules: CountingRules): LedgerEntry {
  if (end.phase === "Failed") return failedLedger(pod, by, matchFailure(pod, end, rules), rules);
  if (!isCountable(pod, rules)) return VOID;
  return { ledger: "succeeded", by, ...indexUnlessCut(pod, by, rules) };
}

function failedLedger(pod: PodRecord, by: Proof, match: PolicyMatch, rules: CountingRules): LedgerEntry {
  if (!isCountable(pod, rules)) return VOID;
  if (!match.counted) return { ledger: "ignored" };
  const indexFailed = failsIndex(rules, pod.created?.indexFailureCount ?? 0, match);
  return { ledger: "failed", by, ...indexUnlessCut(pod, by, rules), ...(indexFailed && { indexFailed }) };
}

function beforeLedger(pod: PodRecord, end: PodTerminated, rules: CountingRules): LedgerEntry {
  if (!isCountable(pod, rules)) return VOID;
  return { ledger: "before", phase: end.phase, ...indexUnlessCut(pod, end, rules) };
}

/** The first `FailJob` rule that the Pod matches: looked for in all Pods of the Job that failed, also those whose finalizer is gone (job-semantics 6). */
export function failJobMatch(pod: PodRecord, rules: CountingRules): PolicyMatch | undefined {
  if (rules.podFailurePolicy === undefined || pod.failed === undefined) return undefined;
  if (firstEnd(pod) !== pod.failed) return undefined;
  const match = matchFailure(pod, pod.failed, rules);
  return match.action === "FailJob" ? match : undefined;
}

function matchFailure(pod: PodRecord, failed: PodTerminated, rules: CountingRules): PolicyMatch {
  return matchPodFailurePolicy(rules.podFailurePolicy, failedPodOf(pod, failed), isPerIndex(rules));
}

function matchDisruption(pod: PodRecord, rules: CountingRules): PolicyMatch {
  return matchPodFailurePolicy(rules.podFailurePolicy, disruptedPodOf(pod), isPerIndex(rules));
}

function isPerIndex({ backoffLimitPerIndex }: CountingRules): boolean {
  return backoffLimitPerIndex !== undefined;
}

/** The Pod has a valid index, where it needs one. */
function isCountable(pod: PodRecord, { completions }: CountingRules): boolean {
  if (completions === undefined) return true;
  const index = pod.created?.index;
  return index !== undefined && index < completions;
}

/** Its index, in Indexed mode; none where the Job has shrunk below it since. */
function indexUnlessCut(pod: PodRecord, at: Order, { completions, cuts }: CountingRules): { index?: number } {
  const index = pod.created?.index;
  return completions === undefined || index === undefined || isCutOff(cuts, index, at) ? {} : { index };
}

function orderOf({ epoch, resourceVersion }: Order): Order {
  return { epoch, resourceVersion };
}
