import type { Fact } from "../job/model/fact.ts";
import type { ClusterName } from "../job/model/ids.ts";
import { FactDeduplicator } from "../segment/fact-deduplicator.ts";
import type { Clock } from "../runtime/clock.ts";
import { Sealer } from "../segment/sealer.ts";
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
   * How far the tracker's clock is ahead, in milliseconds. A segment that seems sealed in the future is set aside.
   * @default 0
   */
  readonly trackerAhead?: () => number;
  readonly onRejected: (reason: string) => void;
}

/** Observations of this interval share a segment, because a segment of two facts costs as much as one of twenty. */
const SEAL_INTERVAL_MILLIS = 250;
/**
 * Limits of the deduplicator, which uses one to two kilobytes per Pod. In larger clusters, the least recently updated
 * Pods are forgotten and repeat their facts with their next change.
 */
const DEDUPLICATOR_LIMITS = { jobs: 20_000, pods: 30_000 };

/**
 * Batches facts into segments: sealed at once after a quiet interval, otherwise once per interval, and when one is
 * full. Repeated facts are left out.
 */
export class SegmentBatcher<Position> {
  readonly #options: SegmentBatcherOptions<Position>;
  #sealer: Sealer | undefined;
  #deduplicator = new FactDeduplicator(DEDUPLICATOR_LIMITS);
  /** The position after the last complete event. */
  #position: Position | undefined;
  #lastSealed = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(options: SegmentBatcherOptions<Position>) {
    this.#options = options;
  }

  /** Adds the facts of one event, and the position after it. */
  take(facts: readonly Fact[], position?: Position): void {
    this.#sealer ??= this.#openSealer(position);
    for (const fact of facts) if (this.#deduplicator.isNew(fact)) this.#add(this.#sealer, fact);
    this.#position = position ?? this.#position;
    if (this.#sealer.size > 0) this.#scheduleFlush();
    else if (position !== undefined) this.#options.outbox.advance(position);
  }

  /** Forgets all facts: the deduplicator may have left out facts of a segment that was never sent. */
  forget(): void {
    this.#deduplicator = new FactDeduplicator(DEDUPLICATOR_LIMITS);
  }

  /** Seals the waiting facts. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#seal();
  }

  #openSealer(position: Position | undefined): Sealer {
    const { cluster, session, kubeSystemUidOf } = this.#options;
    const kubeSystemUid = position === undefined ? undefined : kubeSystemUidOf?.(position);
    return new Sealer({ cluster, session, firstSequence: 0, ...(kubeSystemUid !== undefined && { kubeSystemUid }) });
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

  #scheduleFlush(): void {
    const { clock } = this.#options;
    const due = this.#lastSealed + SEAL_INTERVAL_MILLIS - clock.elapsed();
    this.#cancel ??= clock.after(Math.max(0, due), () => this.flush());
  }
}
