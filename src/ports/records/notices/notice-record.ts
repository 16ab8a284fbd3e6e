import * as v from "valibot";
import type { Instant } from "../../../job/model/instant.ts";
import type { DeadDelivery, Delivery, NoticeRecord, ReceiverStatus } from "../../notices.ts";
import { recordCodec } from "../record-codec.ts";

/**
 * Kind `notice`: everything about the notices of one subject. The version of its condition and the messages that follow
 * from it are one record, so that one conditional write stores both or neither.
 */
export interface SubjectNotices {
  /** Absent until a rule has matched. */
  readonly notice?: NoticeRecord;
  /** Messages that wait, oldest first. */
  readonly waiting: readonly WaitingDelivery[];
  /** The messages that were dropped last, oldest first. */
  readonly dead: readonly DeadDelivery[];
  readonly tallies: Readonly<Record<string, DeliveryTally>>;
  /** When the record was written. Absent in records of earlier releases. */
  readonly changedAt?: Instant;
}

export interface WaitingDelivery extends Omit<Delivery, "subject"> {
  /** By the clock that the other instants are of. Absent in records of earlier releases. */
  readonly notedAt?: Instant;
  /** Until then, another process is sending it. */
  readonly claimedUntil?: Instant;
  /** Why it was not accepted. */
  readonly problem?: string;
}

/** What became of the messages to one receiver. */
export type DeliveryTally = Pick<ReceiverStatus, "delivered" | "dead" | "suppressed" | "lastDeliveredAt">;

const text = v.string();
const count = v.number();
const maybeInstant = v.exactOptional(v.number());

export const noticeRecord = recordCodec<SubjectNotices>(
  "notice",
  v.looseObject({
    notice: v.exactOptional(
      v.looseObject({
        version: v.number(),
        condition: text,
        open: v.record(text, v.looseObject({ version: v.number(), matched: text, routedBy: v.exactOptional(text) })),
      }),
    ),
    waiting: v.array(
      v.looseObject({
        key: text,
        receiver: text,
        nextAt: v.number(),
        group: text,
        value: text,
        attempts: count,
        firstTriedAt: maybeInstant,
        notedAt: maybeInstant,
        claimedUntil: maybeInstant,
        problem: v.exactOptional(text),
      }),
    ),
    dead: v.array(v.looseObject({ key: text, receiver: text, at: v.number(), problem: text })),
    tallies: v.record(
      text,
      v.looseObject({ delivered: count, dead: count, suppressed: count, lastDeliveredAt: maybeInstant }),
    ),
    changedAt: maybeInstant,
  }),
);
