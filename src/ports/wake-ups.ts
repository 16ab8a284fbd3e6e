import type { Instant } from "../job/model/instant.ts";

/** Says that a receiver has a message about a subject. */
export interface WakeUp {
  readonly receiver: string;
  /** The key of the record of kind `notice`. */
  readonly subject: string;
  /** Not before this instant. An earlier wake-up is harmless. */
  readonly at: Instant;
}

/** Wakes the deliveries to receivers. A wake-up that comes twice, too early or for nothing is harmless. */
export interface WakeUps {
  /** Durable when it resolves. Throws if a wake-up was not accepted. */
  send(wakeUps: readonly WakeUp[]): Promise<void>;
}
