import type { Fact } from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import { createFactDeduplicator, type FactDeduplicator } from "../segment/fact-deduplicator.ts";
import type { Clock } from "../runtime/clock.ts";
import { createSealer, type Sealer } from "../segment/sealer.ts";
import type { Outbox } from "./outbox.ts";

export interface SegmentBatcherOptions<Position> {
  readonly cluster: ClusterName;
  /** Names this run: 16 characters of `[0-9a-z]`, never used before. */
  readonly session: string;
  /** Which cluster this is (the uid of namespace kube-system), as the first position tells. */
  readonly kubeSystemUidOf?: (position: Position) => string | undefined;
  readonly outbox: Outbox<Position>;
  readonly clock: Clock;
  /** Milliseconds by which the tracker's clock is ahead of this one: a segment that seems sealed in the future is set aside. @default 0 */
  readonly trackerAhead?: () => number;
  readonly onRejected: (reason: string) => void;
}

/** What was seen together travels together: a segment of two facts costs as much as one of twenty. */
const MIN_MILLIS_BETWEEN = 250;
/**
 * What is remembered to leave out repeats: one to two kilobytes for each Pod. In a cluster with more Pods of Jobs at once, those that were heard of least recently
 * are told of anew with their next change, which costs log and no fact.
 */
const NOVELTY = { jobs: 20_000, pods: 30_000 };

/**
 * Gathers facts into segments: sealed at once after a quiet quarter of a second, at most every quarter of a second otherwise, and whenever one is full. What
 * repeats what was said before is left out.
 */
export class SegmentBatcher<Position> {
  readonly #options: SegmentBatcherOptions<Position>;
  #sealer: Sealer | undefined;
  #deduplicator: FactDeduplicator = createFactDeduplicator(NOVELTY);
  /** Up to the last event that was taken whole. */
  #position: Position | undefined;
  #lastSealed = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: SegmentBatcherOptions<Position>) {
    this.#options = options;
  }

  /** Facts of one event, and the position after it. */
  take(facts: readonly Fact[], position?: Position): void {
    this.#sealer ??= this.#openSealer(position);
    for (const fact of facts) if (this.#deduplicator.isNew(fact)) this.#add(this.#sealer, fact);
    this.#position = position ?? this.#position;
    if (this.#sealer.size > 0) this.#plan();
    else if (position !== undefined) this.#options.outbox.advance(position);
  }

  /** Everything is new again: what was left out may have been said in a segment that nobody sent. */
  forget(): void {
    this.#deduplicator = createFactDeduplicator(NOVELTY);
  }

  /** Hands over what waits. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#seal();
  }

  #openSealer(position: Position | undefined): Sealer {
    const { cluster, session, kubeSystemUidOf } = this.#options;
    const kubeSystemUid = position === undefined ? undefined : kubeSystemUidOf?.(position);
    return createSealer({ cluster, session, firstSequence: 0, ...(kubeSystemUid !== undefined && { kubeSystemUid }) });
  }

  #add(sealer: Sealer, fact: Fact): void {
    const added = sealer.add(fact);
    switch (added.outcome) {
      case "added":
        return;
      case "full":
        this.#seal();
        this.#add(sealer, fact);
        return;
      case "rejected":
        this.#options.onRejected(added.reason);
    }
  }

  #seal(): void {
    const { clock, outbox, trackerAhead } = this.#options;
    this.#lastSealed = clock.elapsed();
    const sealed = this.#sealer?.seal(Math.round(clock.now() + (trackerAhead?.() ?? 0))) ?? [];
    outbox.add(sealed, this.#position);
    this.#position = undefined;
  }

  #plan(): void {
    const { clock } = this.#options;
    const due = this.#lastSealed + MIN_MILLIS_BETWEEN - clock.elapsed();
    this.#cancel ??= clock.after(Math.max(0, due), () => this.flush());
  }
}
