import { SegmentBatcher } from "../../kubernetes/delivery/segment-batcher.ts";
import { Outbox } from "../../kubernetes/delivery/outbox.ts";
import type { PositionRules } from "../../kubernetes/delivery/position-rules.ts";
import type { DeliveryEvent } from "../../kubernetes/delivery/delivery-event.ts";
import type { ClusterName } from "../../job/model/ids.ts";
import { translate } from "../../kubernetes/translate/translate.ts";
import type { SegmentQueue } from "../../ports/segment-queue.ts";
import type { Clock } from "../../ports/runtime/clock.ts";

export interface AuditSourceOptions {
  readonly cluster: ClusterName;
  readonly session: string;
  readonly queue: SegmentQueue;
  readonly clock: Clock;
  readonly onDelivery: (event: DeliveryEvent) => void;
  readonly onAudit: (outcome: "taken" | "ignored" | "rejected") => void;
  /**
   * The most compressed bytes that may wait, which is a few minutes of hints. If there are more, the API server must
   * retry. @default 4 MiB
   */
  readonly maxBytes?: number;
}

/** Hints have no position: the API server repeats them if necessary. */
const NO_POSITIONS: PositionRules<never> = {
  reaches: () => false,
  fill: (_, position) => position,
  encode: () => "",
  decode: () => undefined,
};
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Sends audit events to the queue. The API server chooses the replica, so each replica sends its own, leader or not.
 */
export class AuditSource {
  readonly #options: AuditSourceOptions;
  readonly #outbox: Outbox<never>;
  readonly #batcher: SegmentBatcher<never>;

  constructor(options: AuditSourceOptions) {
    const { cluster, session, queue, clock } = options;
    this.#options = options;
    this.#outbox = new Outbox<never>({
      cluster,
      queue,
      rules: NO_POSITIONS,
      clock,
      observe: options.onDelivery,
      maxBytes: options.maxBytes ?? MAX_BYTES,
    });
    this.#outbox.lead(undefined);
    this.#batcher = new SegmentBatcher<never>({
      cluster,
      session,
      outbox: this.#outbox,
      clock,
      onRejected: () => options.onAudit("rejected"),
    });
  }

  /** Whether there is room for more events. */
  get hasRoom(): boolean {
    return this.#outbox.hasRoom;
  }

  /** Rejects when the queue's client fails for good. */
  get broken(): Promise<never> {
    return this.#outbox.broken;
  }

  take(event: unknown): void {
    const translated = translate(event, { arrivedAt: this.#options.clock.now() });
    switch (translated.outcome) {
      case "translated":
        this.#batcher.take(translated.facts.filter(({ kind }) => kind === "RequestHinted"));
        this.#options.onAudit("taken");
        return;
      case "ignored":
        this.#options.onAudit("ignored");
        return;
      case "rejected":
        this.#options.onAudit("rejected");
    }
  }

  async drain(millis: number): Promise<void> {
    this.#batcher.flush();
    await this.#outbox.drain(millis);
  }
}
