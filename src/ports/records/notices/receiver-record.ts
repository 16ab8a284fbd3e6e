import * as v from "valibot";
import type { Instant } from "../../../job/model/instant.ts";
import { recordCodec } from "../record-codec.ts";

/** Kind `receiver`: the messages that were sent to a receiver with a rate limit, by slices of its time. */
export interface SentMessages {
  /** Oldest first. */
  readonly slices: readonly { readonly from: Instant; readonly messages: number }[];
}

export const receiverRecord = recordCodec<SentMessages>(
  "receiver",
  v.looseObject({ slices: v.array(v.looseObject({ from: v.number(), messages: v.number() })) }),
);
