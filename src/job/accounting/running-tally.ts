import type { CountingRules } from "./counting-rules.ts";
import { isFirstSeenLate } from "../model/first-observation.ts";
import { finishTimeOf, finishTimesOf } from "../status/finish-time.ts";
import { gaugeOf, isReady, liveRestarts } from "./gauges.ts";
import { bagOf } from "./index-bag.ts";
import type { Instant } from "../model/instant.ts";
import { failJobMatch, type LedgerEntry, ledgerOf } from "./ledger.ts";
import { compareOrder, orderOf } from "../model/order.ts";
import { hasFlipped, isGone, outcomeOf } from "../model/outcome.ts";
import { isOwnPod } from "../model/own-pod.ts";
import type { PodRecord } from "../model/pod-record.ts";
import {
  type CountedPod,
  type PodUponFailure,
  EMPTY_TALLY,
  type FailJobSeen,
  type IndexSuccess,
  type PodTally,
} from "./pod-tally.ts";
import { boundLists } from "./tally-lists.ts";
import { wasTracked } from "./tracking.ts";

/** Counts one Pod after another in mutable sums and lists. Only `tally` sorts the lists. */
export class RunningTally {
  readonly #outcomes = { ...EMPTY_TALLY.outcomes };
  readonly #ledgers = { ...EMPTY_TALLY.ledgers };
  readonly #before = { ...EMPTY_TALLY.before };
  readonly #flipped = { ...EMPTY_TALLY.flipped };
  readonly #finalizerOff = { ...EMPTY_TALLY.finalizerOff };
  readonly #sums = {
    failedExisting: 0,
    succeededAfterDeletion: 0,
    uponFailure: 0,
    active: 0,
    terminating: 0,
    ready: 0,
    restarts: 0,
    tracked: 0,
    late: 0,
    ambiguous: 0,
  };
  readonly #completed: number[] = [];
  readonly #completedBefore: number[] = [];
  readonly #completedFinalizerOff: number[] = [];
  readonly #completedAfterDeletion: number[] = [];
  readonly #failedIndexes: number[] = [];
  readonly #activeIndexes: number[] = [];
  readonly #failedWithFinalizer: number[] = [];
  readonly #failJob: FailJobSeen[] = [];
  readonly #recent: CountedPod[] = [];
  readonly #recentUponFailure: PodUponFailure[] = [];
  readonly #successes: Instant[] = [];
  readonly #indexSuccesses: IndexSuccess[] = [];
  readonly #deletions: CountedPod[] = [];

  add(pod: PodRecord, rules: CountingRules): void {
    // Every Pod is counted before the rules are applied: this number decides the rules, so it must not depend on them.
    if (wasTracked(pod)) this.#sums.tracked += 1;
    if (!isOwnPod(pod, rules.namespace)) return;
    this.#addCurrentState(pod);
    this.#addFailJobMatch(pod, rules);
    const entry = ledgerOf(pod, rules);
    if (isFirstSeenLate(pod, rules.jobCreatedAt) || entry.ledger === "before") this.#sums.late += 1;
    this.#addEntry(pod, entry, rules);
    if (rules.tracking === "untracked") this.#addUntracked(pod, entry);
    if (rules.backoffLimitPerIndex !== undefined) this.#addHoldIndexes(pod, entry);
  }

  tally(): PodTally {
    return {
      outcomes: this.#outcomes,
      ledgers: this.#ledgers,
      before: this.#before,
      flipped: this.#flipped,
      ...this.#sums,
      completed: bagOf(this.#completed),
      completedBefore: bagOf(this.#completedBefore),
      failedIndexes: bagOf(this.#failedIndexes),
      activeIndexes: bagOf(this.#activeIndexes),
      failedWithFinalizer: bagOf(this.#failedWithFinalizer),
      finalizerOff: this.#finalizerOff,
      completedFinalizerOff: bagOf(this.#completedFinalizerOff),
      completedAfterDeletion: bagOf(this.#completedAfterDeletion),
      ...boundLists({
        failJob: this.#failJob,
        recent: this.#recent,
        recentUponFailure: this.#recentUponFailure,
        successes: this.#successes,
        indexSuccesses: this.#indexSuccesses,
        deletions: this.#deletions,
      }),
    };
  }

  /** What the Pod is now, independent of its ledger. */
  #addCurrentState(pod: PodRecord): void {
    const outcome = outcomeOf(pod);
    this.#outcomes[outcome] += 1;
    const gauge = gaugeOf(pod);
    if (gauge !== undefined) this.#sums[gauge] += 1;
    if (isReady(pod)) this.#sums.ready += 1;
    this.#sums.restarts += liveRestarts(pod);
    if (hasFlipped(pod)) this.#flipped[outcome === "Succeeded" ? "succeeded" : "failed"] += 1;
  }

  #addFailJobMatch(pod: PodRecord, rules: CountingRules): void {
    const match = failJobMatch(pod, rules);
    if (match?.message === undefined || pod.failed === undefined) return;
    const { epoch, resourceVersion } = pod.failed;
    this.#failJob.push({ epoch, resourceVersion, message: match.message });
  }

  #addUntracked(pod: PodRecord, entry: LedgerEntry): void {
    const deletion = pod.deletionRequested;
    if (entry.ledger === "failed" && deletion === undefined && !isGone(pod)) this.#sums.failedExisting += 1;
    if (entry.ledger !== "succeeded" || deletion === undefined || compareOrder(deletion, entry.by) >= 0) return;
    this.#sums.succeededAfterDeletion += 1;
    if (entry.index !== undefined) this.#completedAfterDeletion.push(entry.index);
  }

  /** The indexes from which held-back Pods are derived (job-semantics 7.3). */
  #addHoldIndexes(pod: PodRecord, entry: LedgerEntry): void {
    const index = pod.created?.index;
    if (index === undefined) return;
    if (gaugeOf(pod) === "active") this.#activeIndexes.push(index);
    const hasFinalizer = entry.ledger === "failed" && entry.by.tracked && entry.by.finalizerOffAt === undefined;
    if (hasFinalizer) this.#failedWithFinalizer.push(index);
  }

  #addEntry(pod: PodRecord, entry: LedgerEntry, rules: CountingRules): void {
    switch (entry.ledger) {
      case "succeeded":
      case "failed":
        this.#addCounted(pod, entry, rules);
        return;
      case "before":
        this.#addBefore(entry);
        return;
      case "uponFailure":
        this.#ledgers.open += 1;
        this.#sums.uponFailure += 1;
        this.#recentUponFailure.push({ uid: pod.uid, ...orderOf(entry.by) });
        return;
      case "ignored":
      case "void":
      case "open":
        this.#ledgers[entry.ledger] += 1;
    }
  }

  /** A released Pod is in no counter: counted as a failure, it would hide one that was not observed. */
  #addBefore({ phase, index, released }: Extract<LedgerEntry, { readonly ledger: "before" }>): void {
    if (released === true) {
      this.#ledgers.void += 1;
      return;
    }
    this.#before[phase === "Succeeded" ? "succeeded" : "failed"] += 1;
    if (phase === "Succeeded" && index !== undefined) this.#completedBefore.push(index);
  }

  #addCounted(pod: PodRecord, entry: CountedEntry, rules: CountingRules): void {
    const counted = countedPod(pod, entry);
    this.#ledgers[entry.ledger] += 1;
    this.#recent.push(counted);
    if (isAmbiguous(pod)) this.#sums.ambiguous += 1;
    if (counted.finalizerOffAt !== undefined) this.#addFinalizerOff(counted);
    if (entry.ledger === "failed") this.#addFailed(counted, rules);
    else this.#addSucceeded(pod, counted, rules);
  }

  #addSucceeded(pod: PodRecord, { index, epoch, resourceVersion }: CountedPod, { successPolicy }: CountingRules): void {
    this.#successes.push(finishTimeOf(finishTimesOf(pod)));
    if (index === undefined) return;
    this.#completed.push(index);
    if (successPolicy) this.#indexSuccesses.push({ index, epoch, resourceVersion });
  }

  #addFinalizerOff({ ledger, index }: CountedPod): void {
    this.#finalizerOff[ledger] += 1;
    if (ledger === "succeeded" && index !== undefined) this.#completedFinalizerOff.push(index);
  }

  #addFailed(counted: CountedPod, { successPolicy, backoffLimitPerIndex }: CountingRules): void {
    const { index, deletion, indexFailed } = counted;
    if (deletion === undefined) {
      if (indexFailed === true && index !== undefined) this.#failedIndexes.push(index);
      return;
    }
    if (successPolicy || backoffLimitPerIndex !== undefined) this.#deletions.push(counted);
  }
}

type CountedEntry = Extract<LedgerEntry, { readonly ledger: "succeeded" | "failed" }>;

function countedPod({ uid }: PodRecord, entry: CountedEntry): CountedPod {
  const { ledger, index } = entry;
  const { epoch, resourceVersion, tracked, deletion, finalizerOffAt } = entry.by;
  return {
    uid,
    ledger,
    tracked,
    epoch,
    resourceVersion,
    ...(index !== undefined && { index }),
    ...(deletion === true && { deletion }),
    ...(finalizerOffAt !== undefined && { finalizerOffAt }),
    ...(entry.ledger === "failed" && entry.indexFailed === true && { indexFailed: true }),
  };
}

function isAmbiguous(pod: PodRecord): boolean {
  const { succeeded, deletionRequested } = pod;
  if (hasFlipped(pod)) return true;
  return succeeded !== undefined && deletionRequested !== undefined && compareOrder(deletionRequested, succeeded) < 0;
}
