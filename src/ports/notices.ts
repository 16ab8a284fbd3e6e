import type { Instant } from "../job/model/instant.ts";

/** What rules have matched about one subject. */
export interface NoticeRecord {
  /** Rises by one with each condition of the subject. */
  readonly version: number;
  readonly condition: string;
  /** By rule: the version of the first message, and what the rule matched. */
  readonly open: Readonly<Record<string, { readonly version: number; readonly matched: string }>>;
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
  /** Deliveries that were sent together are retried together. */
  readonly batch?: string;
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

/**
 * The notices about subjects, and the deliveries that wait to be sent. Writes within a transaction of the Job store are
 * part of it: a delivery exists if and only if the change that caused it was stored.
 */
export interface NoticeStore extends NoticeJournal {
  /** The oldest delivery of each subject, of those that are due. */
  due(receiver: string, options: { readonly now: Instant; readonly limit: number }): Promise<readonly Delivery[]>;
  /** Makes deliveries one message, durably. */
  setBatch(keys: readonly string[], batch: string): Promise<void>;
  batch(receiver: string, batch: string): Promise<readonly Delivery[]>;
  /** Stores the result of an attempt. */
  settle(keys: readonly string[], result: DeliveryResult, now: Instant): Promise<void>;
  /** How many messages were delivered since an instant, and when the first of them was. */
  deliveredSince(receiver: string, since: Instant): Promise<{ readonly messages: number; readonly firstAt?: Instant }>;
  status(): Promise<readonly ReceiverStatus[]>;
  dead(limit: number): Promise<readonly DeadDelivery[]>;
}

/** Stores what rules have matched about a subject, and its deliveries. */
export interface NoticeJournal {
  read(subject: string): Promise<NoticeRecord | undefined>;
  write(subject: string, record: NoticeRecord): Promise<void>;
  /** Adds deliveries. A delivery whose key exists is not added again. */
  add(deliveries: readonly NewDelivery[], now: Instant): Promise<void>;
  /** Changes the text of a delivery that is held until later than `now` and was never tried. Returns whether it was. */
  replaceHeld(key: string, value: string, now: Instant): Promise<boolean>;
  /** Removes a delivery that is held until later than `now` and was never tried. Returns whether it was. */
  cancelHeld(key: string, now: Instant): Promise<boolean>;
  /** Counts messages that a maintenance interval suppressed. */
  suppress(delivery: NewDelivery, now: Instant): Promise<void>;
}
