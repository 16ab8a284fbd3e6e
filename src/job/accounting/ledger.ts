import { failsIndex } from "../status/back-off-limit-per-index.ts";
import type { CountingRules } from "./counting-rules.ts";
import { isCutOff, sizeAt } from "./elastic-size.ts";
import { disruptedPodOf, failedPodOf } from "../status/failed-pod.ts";
import type { PodTerminated } from "../model/fact.ts";
import { compareOrder, type Order, orderOf } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { matchPodFailurePolicy, type PolicyMatch } from "../status/pod-failure-policy.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** How a Pod is counted (job-semantics 3). */
export type Ledger = "succeeded" | "failed" | "ignored" | "void";

/** Where one Pod stands in its Job's books (job-semantics 3). */
export type LedgerEntry =
  | { readonly ledger: "succeeded"; readonly by: Proof; readonly index?: number }
  | { readonly ledger: "failed"; readonly by: Proof; readonly index?: number; readonly indexFailed?: true }
  | { readonly ledger: "ignored" | "void" }
  /** It ended, and the controller had accounted for it when it was first seen so: it is in the Job's own counters. */
  | { readonly ledger: "before"; readonly phase: "Succeeded" | "Failed"; readonly index?: number }
  /** It is being deleted and has not ended: it counts as failed should the Job fail (job-semantics 3.3 c). */
  | { readonly ledger: "uponFailure"; readonly by: Proof }
  /** Nothing is decided. */
  | { readonly ledger: "open" };

/** The fact that put a Pod in its ledger. */
export interface Proof extends Order {
  /** The finalizer was on at that moment: the Pod was not yet in a counter. */
  readonly tracked: boolean;
  /** It counts because it was deleted before it ended (job-semantics 3.3 b). */
  readonly deletion?: true;
  /**
   * The first observation of the finalizer being off, where it was on before: from then on the Job's own counters and
   * lists have the Pod, if it was ever counted.
   */
  readonly finalizerOffAt?: Order;
}

const OPEN: LedgerEntry = { ledger: "open" };
const VOID: LedgerEntry = { ledger: "void" };

/**
 * The Pod's place by its own facts. A uid that a Job's status lists keeps the class it is listed with; that is for
 * known-totals.ts.
 */
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

/**
 * Without finalizers every Pod that is seen to end counts by its first terminal phase, for ever; a Pod that went
 * without one is no failure.
 */
function untrackedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const end = firstEnd(pod);
  return end === undefined ? OPEN : endedLedger(pod, end, { ...orderOf(end), tracked: false }, rules);
}

function trackedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const end = accountableEnd(pod);
  if (rules.mode === "eager") {
    const deletion = trackedDeletion(pod);
    if (deletion !== undefined && (end === undefined || compareOrder(deletion, end) < 0)) {
      return failedLedger(pod, { ...deletion, ...finalizerOffOf(pod, deletion) }, { counted: true }, rules);
    }
  }
  if (end === undefined) return unendedLedger(pod, rules);
  if (end.tracked) return endedLedger(pod, end, { ...orderOf(end), tracked: true, ...finalizerOffOf(pod, end) }, rules);
  if (wasReleasedBefore(pod, end)) return wasDeletedBefore(pod, end) ? unendedLedger(pod, rules) : VOID;
  if (!rules.reported) return endedLedger(pod, end, { ...orderOf(end), tracked: false }, rules);
  return beforeLedger(pod, end, rules);
}

/**
 * The end that upstream counted: the terminal phase seen last with the finalizer on, which is the one that stood when
 * the finalizer went; where none was, the first there was. A Pod that the controller listed with an earlier phase keeps
 * that class: the lists and counters say so (known-totals.ts).
 */
function accountableEnd(pod: PodRecord): PodTerminated | undefined {
  const { succeeded, failed } = pod;
  if (succeeded?.tracked === true && failed?.tracked === true) {
    return compareOrder(failed, succeeded) < 0 ? succeeded : failed;
  }
  return [succeeded, failed].find((end) => end?.tracked === true) ?? firstEnd(pod);
}

/**
 * The first observation of the Pod's deletion, where the finalizer was still on: whoever deletes to release takes it
 * off first (job-semantics 3.4).
 */
function trackedDeletion({ deletionRequested, deleted }: PodRecord): Proof | undefined {
  const deletion = deletionRequested ?? deleted;
  return deletion?.tracked === true ? { ...orderOf(deletion), tracked: true, deletion: true } : undefined;
}

/**
 * Where the finalizer, on at `on`, was first seen off. A Pod that was adopted was without it before; then only its
 * going tells.
 */
function finalizerOffOf({ untracked, deleted }: PodRecord, on: Order): { readonly finalizerOffAt?: Order } {
  const off = untracked !== undefined && compareOrder(untracked, on) > 0 ? untracked : deleted;
  return off === undefined ? {} : { finalizerOffAt: orderOf(off) };
}

/** A Pod that had not ended when its finalizer went, or that never ended, as far as is known. */
function unendedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const deletion = trackedDeletion(pod);
  if (deletion === undefined) return isWithoutFinalizer(pod) ? VOID : OPEN;
  const countsUponFailure = rules.mode === "waiting" && isCountable(pod, deletion, rules) && !mayHaveEndedUnseen(pod);
  return countsUponFailure && matchDisruption(pod, rules).counted ? { ledger: "uponFailure", by: deletion } : OPEN;
}

/**
 * The Pod is gone, and what was last seen of it may not be the last that was. A DELETED event holds the last stored
 * object.
 */
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
  if (!isCountable(pod, by, rules)) return VOID;
  return { ledger: "succeeded", by, ...indexUnlessCut(pod, by, rules) };
}

function failedLedger(pod: PodRecord, by: Proof, match: PolicyMatch, rules: CountingRules): LedgerEntry {
  if (!isCountable(pod, by, rules)) return VOID;
  if (!match.counted) return { ledger: "ignored" };
  const indexFailed = failsIndex(rules, pod.created?.indexFailureCount ?? 0, match);
  return { ledger: "failed", by, ...indexUnlessCut(pod, by, rules), ...(indexFailed && { indexFailed }) };
}

function beforeLedger(pod: PodRecord, end: PodTerminated, rules: CountingRules): LedgerEntry {
  if (!isCountable(pod, end, rules)) return VOID;
  return { ledger: "before", phase: end.phase, ...indexUnlessCut(pod, end, rules) };
}

/**
 * The first `FailJob` rule that the Pod matches: looked for in all Pods of the Job that failed, also those whose
 * finalizer is gone (job-semantics 6).
 */
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

/** The Pod had a valid index when it was to be counted, where it needs one. */
function isCountable(pod: PodRecord, at: Order, { completions, sizes }: CountingRules): boolean {
  if (completions === undefined) return true;
  const index = pod.created?.index;
  return index !== undefined && index < (sizeAt(sizes, at) ?? completions);
}

/** Its index, in Indexed mode; none where the Job has shrunk below it since. */
function indexUnlessCut(pod: PodRecord, at: Order, { completions, cuts }: CountingRules): { index?: number } {
  const index = pod.created?.index;
  return completions === undefined || index === undefined || isCutOff(cuts, index, at) ? {} : { index };
}
