import { type BackOff, exponentialBackOff } from "../concurrency/back-off.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { SegmentQueue, SendOutcome } from "../ports/segment-queue.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ObserveDelivery } from "./delivery-event.ts";

/** A segment that is to be sent, from memory or from disk. */
export interface Sendable {
  readonly bytes: Uint8Array;
  readonly factCount: number;
  /** When it was sealed, on the clock that is never set back; absent for what comes from disk. */
  readonly since?: number;
}

/** What became of a batch. */
export interface Sent {
  /** How many from the front need not be sent again. What was accepted behind one that was not comes again, which is harmless. */
  readonly settled: number;
  /** Why the first of the others was not taken. */
  readonly problem?: string;
}

export interface QueueSenderOptions {
  readonly cluster: ClusterName;
  readonly queue: SegmentQueue;
  readonly clock: Clock;
  /** @default 100 ms at first, 10 s at most, with full jitter */
  readonly backOff?: BackOff;
  readonly observe: ObserveDelivery;
  /** A segment was refused for ever: what it told, the tracker will not learn. */
  readonly onRefused?: (bytes: Uint8Array) => void;
}

/** Exporters that lost the queue together do not come back together. Within 10 s they notice that it is back. */
const BACK_OFF = exponentialBackOff({ firstMillis: 100, maxMillis: 10_000, jitter: "full" });

/** Sends batches, tells what became of them, and waits longer after each one in a row that the queue did not take. */
export class QueueSender {
  readonly #options: QueueSenderOptions;
  #attempts = 0;
  #failingSince: number | undefined;
  #isBackingOff = false;
  #isSending = false;

  constructor(options: QueueSenderOptions) {
    this.#options = options;
  }

  /** Since when the queue has taken nothing, on the clock that is never set back. */
  get failingSince(): number | undefined {
    return this.#failingSince;
  }

  /** How long the queue has taken nothing, in milliseconds; 0 while it takes what comes. */
  get failingMillis(): number {
    return this.#failingSince === undefined ? 0 : this.#options.clock.elapsed() - this.#failingSince;
  }

  /** It is not yet time to try again. */
  get isBackingOff(): boolean {
    return this.#isBackingOff;
  }

  /** A request has not been answered yet. */
  get isSending(): boolean {
    return this.#isSending;
  }

  async send(batch: readonly Sendable[]): Promise<Sent> {
    const { queue, cluster } = this.#options;
    this.#isSending = true;
    const outcomes = await queue.send(batch.map(({ bytes }) => ({ cluster, bytes })));
    this.#isSending = false;
    const sent = sentOf(outcomes);
    this.#report(batch.slice(0, sent.settled), outcomes);
    return sent;
  }

  recover(): void {
    this.#attempts = 0;
    this.#failingSince = undefined;
  }

  /** `again` is called when it is time to; `waiting` segments wait until then. */
  backOff(reason: string, waiting: number, again: () => void): void {
    const { clock, backOff = BACK_OFF, observe } = this.#options;
    this.#attempts += 1;
    this.#failingSince ??= clock.elapsed();
    observe({ kind: "unreachable", reason, attempt: this.#attempts, segments: waiting });
    this.#isBackingOff = true;
    clock.after(backOff(this.#attempts), () => {
      this.#isBackingOff = false;
      again();
    });
  }

  #report(batch: readonly Sendable[], outcomes: readonly SendOutcome[]): void {
    const { observe, clock, onRefused } = this.#options;
    const taken = batch.filter((_, at) => outcomes[at]?.outcome === "accepted");
    const [first] = taken;
    if (first !== undefined) {
      const facts = taken.reduce((sum, { factCount }) => sum + factCount, 0);
      const bytes = taken.reduce((sum, one) => sum + one.bytes.length, 0);
      const waited = first.since === undefined ? {} : { waitedMillis: clock.elapsed() - first.since };
      observe({ kind: "accepted", segments: taken.length, facts, bytes, ...waited });
    }
    batch.forEach(({ factCount, bytes }, at) => {
      const outcome = outcomes[at];
      if (outcome?.outcome !== "refused") return;
      observe({ kind: "refused", reason: outcome.reason, facts: factCount });
      onRefused?.(bytes);
    });
  }
}

function sentOf(outcomes: readonly SendOutcome[]): Sent {
  const settled = outcomes.findIndex(({ outcome }) => outcome === "unreachable");
  const first = outcomes[settled];
  return first?.outcome === "unreachable" ? { settled, problem: first.reason } : { settled: outcomes.length };
}
