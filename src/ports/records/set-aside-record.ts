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
  /** The message in base64; absent where it is too large for a record. */
  readonly message?: string;
  /** When a redrive logged it. The message is in the log then, and no longer here. */
  readonly settledAt?: Instant;
  /** The name of a large message among the `LargeMessages`; absent where the deployment has no place for them. */
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
    keptAs: v.exactOptional(v.string()),
  }),
);
