import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `setAside`: a message that could not become a log item, kept for inspection and redrive. */
export interface SetAside {
  readonly reason: string;
  readonly setAsideAt: Instant;
  /** The size of the message. */
  readonly bytes: number;
  /** The sender that SQS reported; absent for recordings. */
  readonly senderId?: string;
  /** The message in base64; absent if it is too large for a record. */
  readonly message?: string;
  /** When a redrive logged it, or an erasure dropped it. The message is no longer here. */
  readonly settledAt?: Instant;
  /** The id of the erasure that dropped the message, because it could not be read and may have had erased data. */
  readonly erasedBy?: string;
  /** The name of a large message among the `LargeMessages`; absent if the deployment does not store them. */
  readonly keptAs?: string;
}

export const setAsideRecord = recordCodec<SetAside>(
  "setAside",
  v.looseObject({
    reason: v.string(),
    setAsideAt: v.number(),
    bytes: v.number(),
    senderId: v.exactOptional(v.string()),
    message: v.exactOptional(v.string()),
    settledAt: v.exactOptional(v.number()),
    erasedBy: v.exactOptional(v.string()),
    keptAs: v.exactOptional(v.string()),
  }),
);
