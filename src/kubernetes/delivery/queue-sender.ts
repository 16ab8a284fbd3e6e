import { type BackOff, exponentialBackOff } from "../../ports/concurrency/back-off.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import type { SegmentQueue, SendOutcome } from "../../ports/segment-queue.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import type { ObserveDelivery } from "./delivery-event.ts";

/** A segment to send, from memory or from disk. */
export interface Sendable {
  readonly bytes: Uint8Array;
  readonly factCount: number;
  /** When it was sealed, on the monotonic clock; absent for segments from disk. */
  readonly since?: number;
}

/** The result of a batch. */
export interface Sent {
  /**
   * How many of the first segments are settled. Segments accepted after an unsettled one are sent again, which is
   * harmless.
   */
  readonly settled: number;
  /** Why the first unsettled segment was not accepted. */
  readonly problem?: string;
}

export interface QueueSenderOptions {
  readonly cluster: ClusterName;
  readonly queue: SegmentQueue;
  readonly clock: Clock;
  /** @default 100 ms at first, 10 s at most, with full jitter */
  readonly backOff?: BackOff;
  readonly observe: ObserveDelivery;
  /** Called with a segment that the queue refused permanently: the tracker will never receive its facts. */
  readonly onRefused?: (bytes: Uint8Array) => void;
}

/**
 * Exporters that lost the queue at the same time must not return at the same time. Each notices within 10 s that the
 * queue is back.
 */
const BACK_OFF = exponentialBackOff({ firstMillis: 100, maxMillis: 10_000, jitter: "full" });

/** Sends batches, reports their results, and backs off while the queue accepts nothing. */
export class QueueSender {
  readonly #options: QueueSenderOptions;
  #attempts = 0;
  #failingSince: number | undefined;
  #isBackingOff = false;
  #isSending = false;

  constructor(options: QueueSenderOptions) {
    this.#options = options;
  }

  /** Since when the queue has accepted nothing, on the monotonic clock. */
  get failingSince(): number | undefined {
    return this.#failingSince;
  }

  /** How long the queue has accepted nothing, in milliseconds; 0 while it accepts segments. */
  get failingMillis(): number {
    return this.#failingSince === undefined ? 0 : this.#options.clock.elapsed() - this.#failingSince;
  }

  /** Whether the sender waits before the next attempt. */
  get isBackingOff(): boolean {
    return this.#isBackingOff;
  }

  /** Whether a request is in progress. */
  get isSending(): boolean {
    return this.#isSending;
  }

  async send(batch: readonly Sendable[]): Promise<Sent> {
    const { queue, cluster } = this.#options;
    this.#isSending = true;
    const outcomes = await queue.send(batch.map(({ bytes }) => ({ cluster, bytes })));
    this.#isSending = false;
    const sent = resultOf(outcomes);
    this.#report(batch.slice(0, sent.settled), outcomes);
    return sent;
  }

  recover(): void {
    this.#attempts = 0;
    this.#failingSince = undefined;
  }

  /** Calls `retry` when it is time for the next attempt. `waiting` segments wait until then. */
  backOff(reason: string, waiting: number, retry: () => void): void {
    const { clock, backOff = BACK_OFF, observe } = this.#options;
    this.#attempts += 1;
    this.#failingSince ??= clock.elapsed();
    observe({ kind: "unreachable", reason, attempt: this.#attempts, segments: waiting });
    this.#isBackingOff = true;
    clock.after(backOff(this.#attempts), () => {
      this.#isBackingOff = false;
      retry();
    });
  }

  #report(batch: readonly Sendable[], outcomes: readonly SendOutcome[]): void {
    const { observe, clock, onRefused } = this.#options;
    const accepted = batch.filter((_, at) => outcomes[at]?.outcome === "accepted");
    const [first] = accepted;
    if (first !== undefined) {
      const facts = accepted.reduce((sum, { factCount }) => sum + factCount, 0);
      const bytes = accepted.reduce((sum, one) => sum + one.bytes.length, 0);
      const waited = first.since === undefined ? {} : { waitedMillis: clock.elapsed() - first.since };
      observe({ kind: "accepted", segments: accepted.length, facts, bytes, ...waited });
    }
    batch.forEach(({ factCount, bytes }, at) => {
      const outcome = outcomes[at];
      if (outcome?.outcome !== "refused") return;
      observe({ kind: "refused", reason: outcome.reason, facts: factCount });
      onRefused?.(bytes);
    });
  }
}

function resultOf(outcomes: readonly SendOutcome[]): Sent {
  const settled = outcomes.findIndex(({ outcome }) => outcome === "unreachable");
  const first = outcomes[settled];
  return first?.outcome === "unreachable" ? { settled, problem: first.reason } : { settled: outcomes.length };
}
