import type { Fact } from "../../job/model/fact.ts";
import type { Clock } from "../../ports/runtime/clock.ts";
import type { ObserveDelivery } from "./delivery-event.ts";
import type { SegmentBatcher } from "./segment-batcher.ts";
import type { Outbox } from "./outbox.ts";

/** One step of a capture: facts, and the position after them. */
export interface CapturedStep<Position> {
  readonly facts: readonly Fact[];
  readonly position: Position;
}

export interface RelayOptions<Position> {
  /**
   * Watches from `from`, or from a first list, until `signal` aborts. Reads only while the caller asks for the
   * next step.
   */
  readonly capture: (from: Position | undefined, signal: AbortSignal) => AsyncIterable<CapturedStep<Position>>;
  readonly batcher: SegmentBatcher<Position>;
  readonly outbox: Outbox<Position>;
  readonly clock: Clock;
  readonly observe: ObserveDelivery;
}

/**
 * Connects a capture to the outbox, as leader or standby. A standby replica watches too, so that it can continue even
 * if the API server no longer has the changes since then. If its backlog does not reach back to the leader's position,
 * it captures again from there, and the capture declares any gap.
 */
export class Relay<Position> {
  readonly #options: RelayOptions<Position>;
  /** Where the next capture starts. */
  #next: { readonly from: Position | undefined } | undefined;
  /** Ends the current capture. */
  #current: AbortController | undefined;
  #wake: () => void = () => undefined;
  #isStopped = false;

  constructor(options: RelayOptions<Position>) {
    this.#options = options;
  }

  /** This replica leads. `acknowledged` is the previous leader's position. */
  lead(acknowledged: Position | undefined): void {
    const { outbox, batcher, observe } = this.#options;
    batcher.flush();
    const isCovered = outbox.lead(acknowledged);
    const isFirst = this.#current === undefined;
    observe({ kind: "leading", covered: isFirst || isCovered });
    if (isFirst || !isCovered) this.#begin(outbox.resumeFrom(outbox.acknowledged));
  }

  /**
   * Another replica leads and has reached `acknowledged`. Without a position, this replica has nothing to follow yet.
   */
  follow(acknowledged: Position | undefined): void {
    if (acknowledged === undefined) return;
    this.#options.outbox.passed(acknowledged);
    if (this.#current === undefined) this.#begin(acknowledged);
  }

  standBy(reason: string): void {
    this.#options.outbox.standBy();
    this.#options.observe({ kind: "standingBy", reason });
  }

  /** Runs until {@link stop}. Throws the capture's errors, for example for another cluster. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      const next = this.#next;
      this.#next = undefined;
      if (next === undefined) await this.#woken();
      else await this.#captureFrom(next.from);
    }
    this.#options.batcher.flush();
  }

  stop(): void {
    this.#isStopped = true;
    this.#current?.abort();
    this.#wake();
  }

  #begin(from: Position | undefined): void {
    this.#next = { from };
    this.#current?.abort();
    this.#current = new AbortController();
    this.#wake();
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #captureFrom(from: Position | undefined): Promise<void> {
    const { capture, batcher, outbox } = this.#options;
    const signal = this.#current?.signal ?? AbortSignal.abort();
    batcher.forget();
    outbox.begin(from);
    for await (const { facts, position } of capture(from, signal)) {
      if (signal.aborted) break;
      batcher.take(facts, position);
      if (!outbox.hasRoom) await this.#room(signal);
    }
  }

  /** Waits for room in the outbox. Meanwhile nothing is read, and the API server may disconnect the watch. */
  async #room(signal: AbortSignal): Promise<void> {
    const { outbox, clock, observe } = this.#options;
    const since = clock.elapsed();
    observe({ kind: "stalled" });
    const end = aborted(signal);
    while (!outbox.hasRoom && !signal.aborted) await Promise.race([outbox.changed(), end]);
    observe({ kind: "resumed", stalledMillis: clock.elapsed() - since });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
