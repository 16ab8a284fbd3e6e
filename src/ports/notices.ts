import type { Instant } from "../job/model/instant.ts";

/** What rules have matched about one subject. */
export interface NoticeRecord {
  /** Rises by one with each condition of the subject. */
  readonly version: number;
  readonly condition: string;
  /** By rule. */
  readonly open: Readonly<Record<string, OpenNotice>>;
}

/** What a rule has matched about a subject, and matches still. */
export interface OpenNotice {
  /** Of the first message. */
  readonly version: number;
  readonly matched: string;
  /** The value that named the receivers of the first message: later ones go to the same. Absent if none did. */
  readonly routedBy?: string;
}

/** A message for one receiver. Its key identifies it for ever: `uid/version/rule/receiver`. */
export interface NewDelivery {
  readonly key: string;
  readonly receiver: string;
  /** Deliveries about one subject reach a receiver in the order of their creation. */
  readonly subject: string;
  /** The delivery is not attempted before this instant. */
  readonly nextAt: Instant;
  /** Deliveries of one group may be sent as one message. */
  readonly group: string;
  /** JSON text. */
  readonly value: string;
}

export interface Delivery extends NewDelivery {
  readonly attempts: number;
  readonly firstTriedAt?: Instant;
}

/** The result of sending one message. */
export type DeliveryResult =
  | { readonly outcome: "delivered" }
  | { readonly outcome: "failed"; readonly problem: string; readonly nextAt: Instant }
  | { readonly outcome: "dead"; readonly problem: string };

export interface ReceiverStatus {
  readonly receiver: string;
  readonly waiting: number;
  readonly delivered: number;
  readonly dead: number;
  readonly suppressed: number;
  readonly lastDeliveredAt?: Instant;
  /** The oldest delivery that was tried and not accepted. */
  readonly failingSince?: Instant;
  readonly lastProblem?: string;
}

export interface DeadDelivery {
  readonly key: string;
  readonly receiver: string;
  readonly at: Instant;
  readonly problem: string;
}

/** Finds the messages that wait, in a store that can. Elsewhere, wake-ups name them (src/ports/wake-ups.ts). */
export interface DueSubjects {
  /** The keys of records of kind `notice` with a message for the receiver that is due, the earliest first. */
  due(receiver: string, options: { readonly now: Instant; readonly limit: number }): Promise<readonly string[]>;
  /** How many records have a message that waits for the receiver, due or not. The count stops at `most`. */
  waiting(receiver: string, most: number): Promise<number>;
}

/** Clocks differ by less. A message that was noted later than this after now was noted before a clock was set back. */
export const CLOCK_TOLERANCE_MILLIS = 60_000;
