import type { Fact } from "../../job/model/fact.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { FactDeduplicator } from "../../segment/fact-deduplicator.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import { Sealer } from "../../segment/sealer.ts";
import { holdKey, holdMillis } from "./fact-hold.ts";
import { HeldFacts } from "./held-facts.ts";
import { KnownSpecs } from "./known-specs.ts";
import type { Outbox } from "./outbox.ts";

export interface SegmentBatcherOptions<Position> {
  readonly cluster: ClusterName;
  /** The session of this run: 16 characters of `[0-9a-z]`, never used before. */
  readonly session: string;
  /** Returns the cluster's identity (the uid of namespace kube-system) in the first position. */
  readonly kubeSystemUidOf?: (position: Position) => string | undefined;
  readonly outbox: Pick<Outbox<Position>, "add" | "advance">;
  readonly clock: Clock;
  /**
   * How far the tracker's clock is ahead, in milliseconds. The tracker sets aside segments that seem to be sealed in
   * the future. @default 0
   */
  readonly trackerAhead?: () => number;
  readonly onRejected: (reason: string) => void;
  /**
   * How long a segment of few facts waits for more, in milliseconds; 0 if it does not wait.
   * @default 0
   */
  readonly lingerMillis?: number | undefined;
}

/** Observations of this interval share a segment, because a segment of two facts costs as much as one of twenty. */
const SEAL_INTERVAL_MILLIS = 250;
/**
 * The number of facts that fills a write unit of the log. Such a segment is sealed after the interval, without
 * lingering.
 */
const BUSY_FACTS = 32;
/** How long an exporter waits for more facts in a quiet cluster, by default. */
export const DEFAULT_LINGER_MILLIS = 1_000;
/**
 * The number of held facts above which facts no longer wait. Otherwise the first list of a large cluster would fill the
 * memory.
 */
const MAX_HELD = 2_000;
/**
 * Limits of the deduplicator, which uses one to two kilobytes per Pod. In larger clusters, the least recently updated
 * Pods are forgotten and repeat their facts with their next change.
 */
const DEDUPLICATOR_LIMITS = { jobs: 20_000, pods: 30_000 };

/**
 * Batches facts into segments: sealed at once after a quiet interval, otherwise once per interval, and when one is
 * full. Repeated facts are left out.
 *
 * With `lingerMillis`, segments of few facts wait for more, and facts that change no conclusion (fact-hold.ts) wait for
 * the next fact of their Job. Each segment costs a message and at least one write unit, and each Job in it a write of
 * its state.
 */
export class SegmentBatcher<Position> {
  readonly #options: SegmentBatcherOptions<Position>;
  readonly #held = new HeldFacts<Position>();
  #sealer: Sealer | undefined;
  #deduplicator = new FactDeduplicator(DEDUPLICATOR_LIMITS);
  #specs = new KnownSpecs();
  /** The position after the last complete event, until it is passed on. */
  #position: Position | undefined;
  /** The position after the last complete event of this capture. */
  #latest: Position | undefined;
  #lastSealed = -Infinity;
  /** Since when the oldest fact waits to be sealed. */
  #waitingSince = Infinity;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(options: SegmentBatcherOptions<Position>) {
    this.#options = options;
  }

  /** Adds the facts of one event, and the position after it. */
  take(facts: readonly Fact[], position?: Position): void {
    const sealer = (this.#sealer ??= this.#openSealer(position));
    const fresh = facts.filter((fact) => this.#deduplicator.isNew(fact));
    if (!this.#holds(fresh)) this.#addAll([...this.#heldAbout(fresh), ...fresh]);
    this.#position = position ?? this.#position;
    this.#latest = position ?? this.#latest;
    if (sealer.size === 0 && this.#held.isEmpty && position !== undefined) this.#options.outbox.advance(position);
    else this.#schedule();
  }

  /** Forgets all facts: the deduplicator may have left out facts of a segment that was never sent. */
  forget(): void {
    this.#deduplicator = new FactDeduplicator(DEDUPLICATOR_LIMITS);
    this.#specs = new KnownSpecs();
    // The held facts are sent without positions, which belong to the capture that has ended.
    this.#addAll(this.#held.releaseDue(Infinity));
    this.#latest = undefined;
    this.#schedule();
  }

  /** Seals all waiting facts. */
  flush(): void {
    this.#addAll(this.#held.releaseDue(Infinity));
    this.#seal();
    this.#schedule();
  }

  #openSealer(position: Position | undefined): Sealer {
    const { cluster, session, kubeSystemUidOf } = this.#options;
    const kubeSystemUid = position === undefined ? undefined : kubeSystemUidOf?.(position);
    return new Sealer({ cluster, session, firstSequence: 0, ...(kubeSystemUid !== undefined && { kubeSystemUid }) });
  }

  /** Holds the facts of an event if all of them can wait. */
  #holds(facts: readonly Fact[]): boolean {
    const [first] = facts;
    const key = first && holdKey(first);
    if ((this.#options.lingerMillis ?? 0) === 0 || key === undefined) return false;
    const millis = Math.min(...facts.map((fact) => this.#holdMillis(fact)));
    if (this.#held.size >= MAX_HELD && !this.#held.has(key)) return false;
    if (millis === 0 || facts.some((fact) => holdKey(fact) !== key)) return false;
    this.#held.hold(key, facts, { dueAt: this.#options.clock.elapsed() + millis, before: this.#latest });
    return true;
  }

  #holdMillis(fact: Fact): number {
    return fact.kind === "CronJobObserved" && !this.#specs.isKnown(fact) ? 0 : holdMillis(fact);
  }

  /** Removes and returns the held facts about the objects of these. */
  #heldAbout(facts: readonly Fact[]): readonly Fact[] {
    if (this.#held.isEmpty) return [];
    // The heartbeat states that the cluster was observed until now, so no earlier fact of a Job may follow it.
    if (facts.some(({ kind }) => kind === "ClusterObserved" || kind === "GapRecorded")) return this.#held.releaseJobs();
    return [...new Set(facts.map(holdKey))].flatMap((key) => (key === undefined ? [] : this.#held.release(key)));
  }

  #addAll(facts: readonly Fact[]): void {
    if (facts.length === 0 || this.#sealer === undefined) return;
    for (const fact of facts) this.#add(this.#sealer, fact);
    if (this.#sealer.size > 0) this.#waitingSince = Math.min(this.#waitingSince, this.#options.clock.elapsed());
  }

  #add(sealer: Sealer, fact: Fact): void {
    const added = sealer.add(fact);
    switch (added.outcome) {
      case "added":
        return;
      case "full":
        // This segment gets no position, because further facts of the same events may follow. The next complete segment
        // gets it.
        this.#options.outbox.add(this.#sealed(), undefined);
        this.#add(sealer, fact);
        return;
      case "rejected":
        this.#options.onRejected(added.reason);
    }
  }

  #sealed(): ReturnType<Sealer["seal"]> {
    const { clock, trackerAhead } = this.#options;
    this.#lastSealed = clock.elapsed();
    this.#waitingSince = Infinity;
    return this.#sealer?.seal(Math.round(clock.now() + (trackerAhead?.() ?? 0))) ?? [];
  }

  /** Seals all facts that are not held. */
  #seal(): void {
    const { outbox } = this.#options;
    const sealed = this.#sealed();
    if (this.#held.isEmpty) {
      outbox.add(sealed, this.#position);
      this.#position = undefined;
    } else outbox.add(sealed, this.#held.before, this.#latest);
  }

  /** When the waiting facts are sealed: after the interval, or later if they are few. */
  #sealAt(): number {
    const size = this.#sealer?.size ?? 0;
    if (size === 0) return Infinity;
    const linger = size < BUSY_FACTS ? (this.#options.lingerMillis ?? 0) : 0;
    return Math.max(this.#lastSealed + SEAL_INTERVAL_MILLIS, linger === 0 ? 0 : this.#waitingSince + linger);
  }

  /** Sets the timer for the next thing to do. */
  #schedule(): void {
    const { clock } = this.#options;
    const at = Math.max(
      clock.elapsed(),
      Math.min(this.#sealAt(), this.#held.isEmpty ? Infinity : this.#held.nextDueAt),
    );
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    this.#timer?.cancel();
    this.#timer = at === Infinity ? undefined : { at, cancel: clock.after(at - clock.elapsed(), () => this.#wake()) };
  }

  #wake(): void {
    const now = this.#options.clock.elapsed();
    this.#timer = undefined;
    const isSealing = now >= this.#sealAt();
    // Facts that are due soon are sealed too: another segment would cost more than the wait saves.
    this.#addAll(this.#held.releaseDue(isSealing ? now + (this.#options.lingerMillis ?? 0) : now));
    if (isSealing) this.#seal();
    this.#schedule();
  }
}
