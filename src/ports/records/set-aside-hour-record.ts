import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `setAsideHour`, key `2026-11-21T12#AROA...`: how much of one sender is set aside in one hour. */
export interface SetAsideHour {
  /** The bytes that instances of the function have reserved or stored. */
  readonly bytes: number;
  /** When the limit was reached: messages since then are not stored. */
  readonly droppedSince?: Instant;
}

export const setAsideHourRecord = recordCodec<SetAsideHour>(
  "setAsideHour",
  v.looseObject({ bytes: v.number(), droppedSince: v.exactOptional(v.number()) }),
);
