import { failsIndex } from "../status/back-off-limit-per-index.ts";
import type { CountingRules } from "./counting-rules.ts";
import { isCutOff, sizeAt } from "./elastic-size.ts";
import { disruptedPodOf, failedPodOf } from "../status/failed-pod.ts";
import type { PodTerminated } from "../model/fact.ts";
import { compareOrder, type Order, orderOf } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { matchPodFailurePolicy, type PolicyMatch } from "../status/pod-failure-policy.ts";
import { decisiveEnd } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** How a Pod is counted (job-semantics 3). */
export type Ledger = "succeeded" | "failed" | "ignored" | "void";

/** How one Pod is counted, and the fact that decides it (job-semantics 3). */
export type LedgerEntry =
  | { readonly ledger: "succeeded"; readonly by: Proof; readonly index?: number }
  | { readonly ledger: "failed"; readonly by: Proof; readonly index?: number; readonly indexFailed?: true }
  | { readonly ledger: "ignored" | "void" }
  /** The controller counted this Pod before its end was first observed, so the Job's own counters include it. */
  | {
      readonly ledger: "before";
      readonly phase: "Succeeded" | "Failed";
      readonly index?: number;
      /**
       * The Pod was most likely released and not counted (job-semantics 3.4): nothing shows that it had failed before.
       */
      readonly released?: true;
    }
  /** The Pod is being deleted and has not ended. It counts as failed if the Job fails (job-semantics 3.3 c). */
  | { readonly ledger: "uponFailure"; readonly by: Proof }
  /** How the Pod counts is not decided yet. */
  | { readonly ledger: "open" };

/** The fact that decides the ledger of a Pod. */
export interface Proof extends Order {
  /** The finalizer was on at that time: the Pod was not in a counter yet. */
  readonly tracked: boolean;
  /** The Pod counts because it was deleted before it ended (job-semantics 3.3 b). */
  readonly deletion?: true;
  /**
   * The first observation without the finalizer, if it was on before. From then on the Job's own counters and lists
   * include the Pod, if it was ever counted.
   */
  readonly finalizerOffAt?: Order;
}

const OPEN: LedgerEntry = { ledger: "open" };
const VOID: LedgerEntry = { ledger: "void" };

/**
 * The Pod's ledger by its own facts. If the Job's status lists the Pod, the class there has priority: own-totals.ts
 * applies it.
 */
export function ledgerOf(pod: PodRecord, rules: CountingRules): LedgerEntry {
  return rules.tracking === "tracked" ? trackedLedger(pod, rules) : untrackedLedger(pod, rules);
}

/** The ledger that an attempt shows; `undefined` while it is not decided. */
export function countedAs(entry: LedgerEntry): Ledger | undefined {
  switch (entry.ledger) {
    case "succeeded":
    case "failed":
    case "ignored":
    case "void":
      return entry.ledger;
    case "before":
      if (entry.released === true) return "void";
      return entry.phase === "Succeeded" ? "succeeded" : "failed";
    case "uponFailure":
    case "open":
      return undefined;
  }
}

/**
 * Without finalizers, every Pod that was observed to end counts permanently, by its first terminal phase. A Pod that
 * disappeared without one is not a failure.
 */
function untrackedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const end = firstEnd(pod);
  return end === undefined ? OPEN : endedLedger(pod, { end, by: untrackedProof(end) }, rules);
}

function trackedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const end = accountableEnd(pod);
  if (end === undefined && hasEndedBeforeDeletion(pod)) return OPEN;
  const deletion = rules.mode === "eager" ? trackedDeletion(pod) : undefined;
  if (deletion !== undefined && (end === undefined || compareOrder(deletion, end) < 0)) {
    const by = { ...deletion, ...finalizerOffOf(pod, deletion) };
    return failedLedger(pod, { by, match: { counted: true } }, rules);
  }
  return end === undefined ? unendedLedger(pod, rules) : trackedEndLedger(pod, end, rules);
}

function trackedEndLedger(pod: PodRecord, end: PodTerminated, rules: CountingRules): LedgerEntry {
  if (end.tracked) return endedLedger(pod, { end, by: trackedProof(pod, end) }, rules);
  if (wasReleasedBefore(pod, end)) return wasDeletedBefore(pod, end) ? unendedLedger(pod, rules) : VOID;
  return rules.reported ? beforeLedger(pod, end, rules) : endedLedger(pod, { end, by: untrackedProof(end) }, rules);
}

function trackedProof(pod: PodRecord, end: PodTerminated): Proof {
  return { ...orderOf(end), tracked: true, ...finalizerOffOf(pod, end) };
}

function untrackedProof(end: PodTerminated): Proof {
  return { ...orderOf(end), tracked: false };
}

/**
 * The Pod had ended when its deletion was requested, and the fact of its end has not arrived. Facts can arrive in any
 * order: as a deletion before the end, it would count as failed.
 */
function hasEndedBeforeDeletion({ deletionRequested }: PodRecord): boolean {
  return deletionRequested?.phase === "Succeeded" || deletionRequested?.phase === "Failed";
}

/**
 * The end that upstream counted: the last terminal phase that was observed with the finalizer on, otherwise the first
 * one. A Pod that the controller listed with an earlier phase keeps that class, which the lists prove (own-totals.ts).
 */
function accountableEnd(pod: PodRecord): PodTerminated | undefined {
  const { succeeded, failed } = pod;
  if (succeeded?.tracked === true && failed?.tracked === true) {
    return compareOrder(failed, succeeded) < 0 ? succeeded : failed;
  }
  return [succeeded, failed].find((end) => end?.tracked === true) ?? firstEnd(pod);
}

/**
 * The first observation of the Pod's deletion, if the finalizer was still on. A client that deletes a Pod to release it
 * removes the finalizer first (job-semantics 3.4). The removal alone decides nothing: the API server never removes a
 * Pod with a finalizer without a deletion timestamp, so the request, with the phase at that time, has not arrived.
 */
function trackedDeletion({ deletionRequested }: PodRecord): Proof | undefined {
  if (deletionRequested?.tracked !== true) return undefined;
  return { ...orderOf(deletionRequested), tracked: true, deletion: true };
}

/**
 * The first observation without the finalizer after `on`, when it was on. An adopted Pod had no finalizer before `on`;
 * then only its removal from the API proves it.
 */
function finalizerOffOf({ untracked, deleted }: PodRecord, on: Order): { readonly finalizerOffAt?: Order } {
  const off = untracked !== undefined && compareOrder(untracked, on) > 0 ? untracked : deleted;
  return off === undefined ? {} : { finalizerOffAt: orderOf(off) };
}

/** The entry of a Pod that had not ended when its finalizer was removed, or of which no end is known. */
function unendedLedger(pod: PodRecord, rules: CountingRules): LedgerEntry {
  const deletion = trackedDeletion(pod);
  if (deletion === undefined) return isWithoutFinalizer(pod) ? VOID : OPEN;
  const countsUponFailure = rules.mode === "waiting" && isCountable(pod, deletion, rules) && !mayHaveEndedUnseen(pod);
  return countsUponFailure && matchDisruption(pod, rules).counted ? { ledger: "uponFailure", by: deletion } : OPEN;
}

/**
 * The Pod is gone, and it may have changed after its last observation. A DELETED event contains the last stored object.
 */
function mayHaveEndedUnseen({ vanished, deleted, observed, succeeded, failed }: PodRecord): boolean {
  if (succeeded !== undefined || failed !== undefined) return false;
  if (deleted === undefined) return vanished !== undefined;
  return observed === undefined || compareOrder(observed, deleted) < 0;
}

/** The Pod was observed without the finalizer, and not only before the Job adopted it. */
function isWithoutFinalizer({ untracked, tracked }: PodRecord): boolean {
  return untracked !== undefined && (tracked === undefined || compareOrder(tracked, untracked) < 0);
}

/** The Pod was observed without the finalizer before it ended. */
function wasReleasedBefore(pod: PodRecord, end: PodTerminated): boolean {
  const { untracked } = pod;
  return untracked !== undefined && isWithoutFinalizer(pod) && compareOrder(untracked, end) < 0;
}

/** The finalizer was removed while the Pod was being deleted: that follows a verdict and is not a release. */
function wasDeletedBefore({ untracked, deletionRequested }: PodRecord, end: PodTerminated): boolean {
  if (untracked === undefined || deletionRequested?.tracked !== true) return false;
  return compareOrder(deletionRequested, untracked) < 0 && compareOrder(deletionRequested, end) < 0;
}

function endedLedger(
  pod: PodRecord,
  { end, by }: { readonly end: PodTerminated; readonly by: Proof },
  rules: CountingRules,
): LedgerEntry {
  if (end.phase === "Failed") return failedLedger(pod, { by, match: matchFailure(pod, end, rules) }, rules);
  if (!isCountable(pod, by, rules)) return VOID;
  return { ledger: "succeeded", by, ...indexUnlessCut(pod, by, rules) };
}

function failedLedger(
  pod: PodRecord,
  { by, match }: { readonly by: Proof; readonly match: PolicyMatch },
  rules: CountingRules,
): LedgerEntry {
  if (!isCountable(pod, by, rules)) return VOID;
  if (!match.counted) return { ledger: "ignored" };
  const indexFailed = failsIndex(rules, pod.created?.indexFailureCount ?? 0, match);
  return { ledger: "failed", by, ...indexUnlessCut(pod, by, rules), ...(indexFailed && { indexFailed }) };
}

function beforeLedger(pod: PodRecord, end: PodTerminated, rules: CountingRules): LedgerEntry {
  if (!isCountable(pod, end, rules)) return VOID;
  const released = isReleasedAtEnd(pod, end);
  return { ledger: "before", phase: end.phase, ...indexUnlessCut(pod, end, rules), ...(released && { released }) };
}

/**
 * The Pod ran with the finalizer, and the next observation shows all at once: without the finalizer, being deleted, and
 * ended after that. A Pod that had failed by itself, and was counted, has no reason to be deleted first.
 */
function isReleasedAtEnd(pod: PodRecord, end: PodTerminated): boolean {
  const { tracked, deletionRequested } = pod;
  if (end.phase !== "Failed" || tracked === undefined || deletionRequested === undefined) return false;
  if (deletionRequested.tracked || compareOrder(deletionRequested, end) !== 0) return false;
  const finishedAt = decisiveEnd(pod)?.finishedAt;
  return finishedAt === undefined || finishedAt >= deletionRequested.requestedAt;
}

/** The rule of the policy that the failed Pod matches, also if its finalizer was removed (job-semantics 6). */
export function policyMatchOf(pod: PodRecord, rules: CountingRules): PolicyMatch | undefined {
  if (rules.podFailurePolicy === undefined || pod.failed === undefined) return undefined;
  if (firstEnd(pod) !== pod.failed) return undefined;
  const match = matchFailure(pod, pod.failed, rules);
  return match.rule === undefined ? undefined : match;
}

export function failJobMatch(pod: PodRecord, rules: CountingRules): PolicyMatch | undefined {
  const match = policyMatchOf(pod, rules);
  return match?.action === "FailJob" ? match : undefined;
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

/** The Pod had a valid index when it was counted, or needs none. */
function isCountable(pod: PodRecord, at: Order, { completions, sizes }: CountingRules): boolean {
  if (completions === undefined) return true;
  const index = pod.created?.index;
  return index !== undefined && index < (sizeAt(sizes, at) ?? completions);
}

/** The Pod's index in Indexed mode, unless the Job was later scaled down below it. */
function indexUnlessCut(pod: PodRecord, at: Order, { completions, cuts }: CountingRules): { index?: number } {
  const index = pod.created?.index;
  return completions === undefined || index === undefined || isCutOff(cuts, index, at) ? {} : { index };
}
