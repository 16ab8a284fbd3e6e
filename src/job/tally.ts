import type { Outcome, Ledger } from "./answer.ts";
import type { CountingRules } from "./counting-rules.ts";
import { isFirstSeenLate } from "./first-sight.ts";
import { finishTimeOf, finishTimesOf } from "./finish-time.ts";
import { gaugeOf, isReady, liveRestarts } from "./gauges.ts";
import type { PodUid } from "./ids.ts";
import { addBags, bagOf, EMPTY_BAG, type IndexBag } from "./index-bag.ts";
import type { Instant } from "./instant.ts";
import { failJobMatch, type LedgerEntry, ledgerOf } from "./ledger.ts";
import { compareOrder, type Order } from "./order.ts";
import { hasFlipped, isGone, outcomeOf } from "./outcome.ts";
import type { PodRecord } from "./pod-record.ts";
import { wasTracked } from "./tracking.ts";

/**
 * What status and verdict need to know of a Job's Pods, summed: plain JSON. The sum over a set of Pods does not depend on their order, and a Pod is
 * taken out by {@link subtractTally} and put in again when more is known of it.
 *
 * Counts and index bags are exact at any size, after any number of subtractions. The lists are bounded; each holds its first members by its own order as long as
 * nothing was taken out of a full one. Whoever takes a member out of a full list has to tally all Pods again, or else the place it leaves stays empty:
 * src/projection/tally-change.ts does. What is cut from a list can only make a count smaller, never larger than the truth.
 */
export interface PodTally {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** Pods in each ledger by facts of their own; `open`: nothing is decided. */
  readonly ledgers: Readonly<Record<Ledger | "open", number>>;
  /** Ended Pods that were accounted for at first sight: they are in the Job's own counters. */
  readonly before: { readonly succeeded: number; readonly failed: number };
  /** Only of a Job without finalizers: failed Pods that its controller can still count, as they exist and nobody asked for them to go. */
  readonly failedExisting: number;
  /** Pods that count as failed should the Job fail. */
  readonly uponFailure: number;
  readonly active: number;
  readonly terminating: number;
  readonly ready: number;
  /** Restarts of live Pods' containers. */
  readonly restarts: number;
  /** Pods seen with the tracking finalizer. */
  readonly tracked: number;
  /** Pods of which a sight was missed: their beginning ({@link isFirstSeenLate}), or their end with the finalizer on. */
  readonly late: number;
  /** Counted Pods that may count as the other class: they ended both ways, or well after somebody had asked for them to go. */
  readonly ambiguous: number;
  /** Pods seen in both terminal phases, by the first of them. */
  readonly flipped: { readonly succeeded: number; readonly failed: number };
  /** Indexes of Pods in `succeeded`; and of those in `before`, for comparing. */
  readonly completed: IndexBag;
  readonly completedBefore: IndexBag;
  /** Indexes that failed for good, by Pods that ended. */
  readonly failedIndexes: IndexBag;
  /** Only with a limit per index: indexes of active Pods, and of Pods that failed and were never seen without their finalizer. */
  readonly activeIndexes: IndexBag;
  readonly failedOn: IndexBag;
  /** Matches of FailJob rules, the lowest by order. */
  readonly failJob: readonly FailJobSeen[];
  /** Counted Pods whose finalizer was seen off, which the Job's own counters must have; and the indexes of the successes among them. */
  readonly off: { readonly succeeded: number; readonly failed: number };
  readonly completedOff: IndexBag;
  /** Only of a Job without finalizers: successes of Pods that had been asked to go before they ended, and their indexes. */
  readonly succeededAsked: number;
  readonly completedAsked: IndexBag;
  /** The Pods that were counted or lost their finalizer last: those that uncounted lists may name, and that the latest report may not cover. */
  readonly recent: readonly CountedPod[];
  /** The latest of `uponFailure`: those that the latest report may not cover. */
  readonly doomed: readonly DoomedPod[];
  /** When Pods succeeded, the earliest. */
  readonly successes: readonly Instant[];
  /** Only with a success policy: the order of successes by index, the lowest. */
  readonly indexSuccesses: readonly IndexSuccess[];
  /** Only where it matters why a Pod was deleted: Pods that count because they were deleted before they ended, the lowest by order. */
  readonly deletions: readonly CountedPod[];
}

export interface FailJobSeen extends Order {
  readonly message: string;
}
export interface CountedPod extends Order {
  readonly uid: PodUid;
  readonly ledger: "succeeded" | "failed";
  readonly tracked: boolean;
  readonly index?: number;
  /** It counts because it was deleted before it had ended; and, with `indexFailed`, its index failed by that. */
  readonly deletion?: true;
  readonly indexFailed?: true;
  /** Where its finalizer was first seen off ({@link Proof}). */
  readonly off?: Order;
}
export interface DoomedPod extends Order {
  readonly uid: PodUid;
}
export interface IndexSuccess extends Order {
  readonly index: number;
}

/** One sync of the controller lists at most 500 Pods. */
export const MAX_RECENT = 512;
export const MAX_FAIL_JOB = 16;
export const MAX_SUCCESSES = 256;
export const MAX_ORDERED = 1024;

export const EMPTY_TALLY: PodTally = {
  outcomes: { Succeeded: 0, Failed: 0, Active: 0, Terminating: 0, Unknown: 0 },
  ledgers: { succeeded: 0, failed: 0, ignored: 0, void: 0, open: 0 },
  before: { succeeded: 0, failed: 0 },
  failedExisting: 0,
  uponFailure: 0,
  active: 0,
  terminating: 0,
  ready: 0,
  restarts: 0,
  tracked: 0,
  late: 0,
  ambiguous: 0,
  flipped: { succeeded: 0, failed: 0 },
  completed: EMPTY_BAG,
  completedBefore: EMPTY_BAG,
  failedIndexes: EMPTY_BAG,
  activeIndexes: EMPTY_BAG,
  failedOn: EMPTY_BAG,
  failJob: [],
  off: { succeeded: 0, failed: 0 },
  completedOff: EMPTY_BAG,
  succeededAsked: 0,
  completedAsked: EMPTY_BAG,
  recent: [],
  doomed: [],
  successes: [],
  indexSuccesses: [],
  deletions: [],
};

/** The tally of any number of Pods of one Job, each once, in any order. */
export function tallyPods(pods: Iterable<PodRecord>, rules: CountingRules): PodTally {
  const sum = new RunningTally();
  for (const pod of pods) sum.add(pod, rules);
  return sum.tally();
}

/** The tally of the Pods of both; no Pod may be in both. */
export function addTally(a: PodTally, b: PodTally): PodTally {
  return combine(a, b, 1);
}

/** The tally of the Pods of `a` without those of `b`, which must all be in `a` as they are in `b`. */
export function subtractTally(a: PodTally, b: PodTally): PodTally {
  return combine(a, b, -1);
}

type Counts<Key extends string> = Readonly<Record<Key, number>>;

function combine(a: PodTally, b: PodTally, sign: 1 | -1): PodTally {
  const lists = sign === 1 ? joinLists(a, b) : takeLists(a, b);
  return {
    outcomes: addCounts(a.outcomes, b.outcomes, sign),
    ledgers: addCounts(a.ledgers, b.ledgers, sign),
    before: addCounts(a.before, b.before, sign),
    failedExisting: a.failedExisting + sign * b.failedExisting,
    uponFailure: a.uponFailure + sign * b.uponFailure,
    active: a.active + sign * b.active,
    terminating: a.terminating + sign * b.terminating,
    ready: a.ready + sign * b.ready,
    restarts: a.restarts + sign * b.restarts,
    tracked: a.tracked + sign * b.tracked,
    late: a.late + sign * b.late,
    ambiguous: a.ambiguous + sign * b.ambiguous,
    flipped: addCounts(a.flipped, b.flipped, sign),
    completed: addBags(a.completed, b.completed, sign),
    completedBefore: addBags(a.completedBefore, b.completedBefore, sign),
    failedIndexes: addBags(a.failedIndexes, b.failedIndexes, sign),
    activeIndexes: addBags(a.activeIndexes, b.activeIndexes, sign),
    failedOn: addBags(a.failedOn, b.failedOn, sign),
    off: addCounts(a.off, b.off, sign),
    completedOff: addBags(a.completedOff, b.completedOff, sign),
    succeededAsked: a.succeededAsked + sign * b.succeededAsked,
    completedAsked: addBags(a.completedAsked, b.completedAsked, sign),
    ...lists,
  };
}

type Lists = Pick<PodTally, "failJob" | "recent" | "doomed" | "successes" | "indexSuccesses" | "deletions">;

function joinLists(a: Lists, b: Lists): Lists {
  return boundLists({
    failJob: [...a.failJob, ...b.failJob],
    recent: [...a.recent, ...b.recent],
    doomed: [...a.doomed, ...b.doomed],
    successes: [...a.successes, ...b.successes],
    indexSuccesses: [...a.indexSuccesses, ...b.indexSuccesses],
    deletions: [...a.deletions, ...b.deletions],
  });
}

function takeLists(a: Lists, b: Lists): Lists {
  return {
    failJob: without(a.failJob, b.failJob, (x, y) => byOrder(x, y) || compareText(x.message, y.message)),
    recent: without(a.recent, b.recent, (x, y) => compareText(x.uid, y.uid)),
    doomed: without(a.doomed, b.doomed, (x, y) => compareText(x.uid, y.uid)),
    successes: without(a.successes, b.successes, (x, y) => x - y),
    indexSuccesses: without(a.indexSuccesses, b.indexSuccesses, (x, y) => byOrder(x, y) || x.index - y.index),
    deletions: without(a.deletions, b.deletions, (x, y) => compareText(x.uid, y.uid)),
  };
}

function boundLists(lists: Lists): Lists {
  return {
    failJob: [...lists.failJob]
      .sort((x, y) => byOrder(x, y) || compareText(x.message, y.message))
      .slice(0, MAX_FAIL_JOB),
    recent: [...lists.recent].sort(byTouch).slice(0, MAX_RECENT),
    doomed: [...lists.doomed].sort((x, y) => byOrder(y, x) || compareText(x.uid, y.uid)).slice(0, MAX_RECENT),
    successes: [...lists.successes].sort((x, y) => x - y).slice(0, MAX_SUCCESSES),
    indexSuccesses: [...lists.indexSuccesses].sort((x, y) => byOrder(x, y) || x.index - y.index).slice(0, MAX_ORDERED),
    deletions: [...lists.deletions].sort((x, y) => byOrder(x, y) || compareText(x.uid, y.uid)).slice(0, MAX_ORDERED),
  };
}

/** `all` without one equal for each of `gone`. */
function without<Item>(
  all: readonly Item[],
  gone: readonly Item[],
  compare: (a: Item, b: Item) => number,
): readonly Item[] {
  const rest = [...all];
  for (const item of gone) {
    const at = rest.findIndex((other) => compare(item, other) === 0);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

function addCounts<Key extends string>(a: Counts<Key>, b: Counts<Key>, sign: 1 | -1): Counts<Key> {
  const sum: Record<Key, number> = { ...a };
  for (const key of keysOf(b)) sum[key] += sign * b[key];
  return sum;
}

function keysOf<Key extends string>(counts: Counts<Key>): readonly Key[] {
  return Object.keys(counts) as Key[];
}

function byOrder(a: Order, b: Order): number {
  return compareOrder(a, b);
}

function isAmbiguous(pod: PodRecord): boolean {
  const { succeeded, deletionRequested } = pod;
  if (hasFlipped(pod)) return true;
  return succeeded !== undefined && deletionRequested !== undefined && compareOrder(deletionRequested, succeeded) < 0;
}

/** Those first that were counted, or lost their finalizer, last. */
function byTouch(a: CountedPod, b: CountedPod): number {
  return compareOrder(lastTouch(b), lastTouch(a)) || compareText(a.uid, b.uid);
}

/** When the Pod last changed its place among the counted: its finalizer went, or, as long as it is on, it was counted. */
export function lastTouch(pod: CountedPod): Order {
  return pod.off ?? pod;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sums many Pods in place, and sorts once. */
class RunningTally {
  readonly #outcomes = { ...EMPTY_TALLY.outcomes };
  readonly #ledgers = { ...EMPTY_TALLY.ledgers };
  readonly #before = { ...EMPTY_TALLY.before };
  readonly #flipped = { ...EMPTY_TALLY.flipped };
  readonly #off = { ...EMPTY_TALLY.off };
  readonly #sums = {
    failedExisting: 0,
    succeededAsked: 0,
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
  readonly #completedOff: number[] = [];
  readonly #completedAsked: number[] = [];
  readonly #failedIndexes: number[] = [];
  readonly #activeIndexes: number[] = [];
  readonly #failedOn: number[] = [];
  readonly #failJob: FailJobSeen[] = [];
  readonly #recent: CountedPod[] = [];
  readonly #doomed: DoomedPod[] = [];
  readonly #successes: Instant[] = [];
  readonly #indexSuccesses: IndexSuccess[] = [];
  readonly #deletions: CountedPod[] = [];

  add(pod: PodRecord, rules: CountingRules): void {
    this.#look(pod);
    this.#match(pod, rules);
    const entry = ledgerOf(pod, rules);
    if (isFirstSeenLate(pod, rules.jobCreatedAt) || entry.ledger === "before") this.#sums.late += 1;
    this.#enter(pod, entry, rules);
    if (rules.tracking === "untracked") this.#enterUntracked(pod, entry);
    if (rules.backoffLimitPerIndex !== undefined) this.#enterIndex(pod, entry);
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
      failedOn: bagOf(this.#failedOn),
      off: this.#off,
      completedOff: bagOf(this.#completedOff),
      completedAsked: bagOf(this.#completedAsked),
      ...boundLists({
        failJob: this.#failJob,
        recent: this.#recent,
        doomed: this.#doomed,
        successes: this.#successes,
        indexSuccesses: this.#indexSuccesses,
        deletions: this.#deletions,
      }),
    };
  }

  /** What it is now, whatever it counts as. */
  #look(pod: PodRecord): void {
    const outcome = outcomeOf(pod);
    this.#outcomes[outcome] += 1;
    const gauge = gaugeOf(pod);
    if (gauge !== undefined) this.#sums[gauge] += 1;
    if (isReady(pod)) this.#sums.ready += 1;
    if (wasTracked(pod)) this.#sums.tracked += 1;
    this.#sums.restarts += liveRestarts(pod);
    if (hasFlipped(pod)) this.#flipped[outcome === "Succeeded" ? "succeeded" : "failed"] += 1;
  }

  #match(pod: PodRecord, rules: CountingRules): void {
    const match = failJobMatch(pod, rules);
    if (match?.message === undefined || pod.failed === undefined) return;
    const { epoch, resourceVersion } = pod.failed;
    this.#failJob.push({ epoch, resourceVersion, message: match.message });
  }

  #enterUntracked(pod: PodRecord, entry: LedgerEntry): void {
    const asked = pod.deletionRequested;
    if (entry.ledger === "failed" && asked === undefined && !isGone(pod)) this.#sums.failedExisting += 1;
    if (entry.ledger !== "succeeded" || asked === undefined || compareOrder(asked, entry.by) >= 0) return;
    this.#sums.succeededAsked += 1;
    if (entry.index !== undefined) this.#completedAsked.push(entry.index);
  }

  /** What holding back asks for (job-semantics 7.3). */
  #enterIndex(pod: PodRecord, entry: LedgerEntry): void {
    const index = pod.created?.index;
    if (index === undefined) return;
    if (gaugeOf(pod) === "active") this.#activeIndexes.push(index);
    if (entry.ledger === "failed" && entry.by.tracked && entry.by.off === undefined) this.#failedOn.push(index);
  }

  #enter(pod: PodRecord, entry: LedgerEntry, rules: CountingRules): void {
    switch (entry.ledger) {
      case "succeeded":
      case "failed":
        this.#ledgers[entry.ledger] += 1;
        this.#enterCounted(pod, entry, rules);
        return;
      case "before":
        this.#before[entry.phase === "Succeeded" ? "succeeded" : "failed"] += 1;
        if (entry.phase === "Succeeded" && entry.index !== undefined) this.#completedBefore.push(entry.index);
        return;
      case "uponFailure":
        this.#ledgers.open += 1;
        this.#sums.uponFailure += 1;
        this.#doomed.push({ uid: pod.uid, epoch: entry.by.epoch, resourceVersion: entry.by.resourceVersion });
        return;
      case "ignored":
      case "void":
      case "open":
        this.#ledgers[entry.ledger] += 1;
    }
  }

  #enterCounted(
    pod: PodRecord,
    entry: Extract<LedgerEntry, { readonly ledger: "succeeded" | "failed" }>,
    rules: CountingRules,
  ): void {
    const { ledger, index } = entry;
    const { epoch, resourceVersion, tracked, deletion, off } = entry.by;
    const counted: CountedPod = {
      uid: pod.uid,
      ledger,
      tracked,
      epoch,
      resourceVersion,
      ...(index !== undefined && { index }),
      ...(deletion === true && { deletion }),
      ...(off !== undefined && { off }),
      ...(entry.ledger === "failed" && entry.indexFailed === true && { indexFailed: true }),
    };
    this.#recent.push(counted);
    if (isAmbiguous(pod)) this.#sums.ambiguous += 1;
    if (off !== undefined) this.#enterOff(counted);
    if (ledger === "failed") {
      this.#enterFailed(counted, rules);
      return;
    }
    this.#successes.push(finishTimeOf(finishTimesOf(pod)));
    if (index === undefined) return;
    this.#completed.push(index);
    if (rules.successPolicy) this.#indexSuccesses.push({ index, epoch, resourceVersion });
  }

  #enterOff({ ledger, index }: CountedPod): void {
    this.#off[ledger] += 1;
    if (ledger === "succeeded" && index !== undefined) this.#completedOff.push(index);
  }

  #enterFailed(counted: CountedPod, { successPolicy, backoffLimitPerIndex }: CountingRules): void {
    const { index, deletion, indexFailed } = counted;
    if (deletion === undefined) {
      if (indexFailed === true && index !== undefined) this.#failedIndexes.push(index);
      return;
    }
    if (successPolicy || backoffLimitPerIndex !== undefined) this.#deletions.push(counted);
  }
}
