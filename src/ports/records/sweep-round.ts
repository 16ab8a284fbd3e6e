import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `position`, key `#sweepRound`: when the last round of the sweep began, and the one before. */
export interface SweepRound {
  readonly startedAt: Instant;
  readonly previousStartedAt: Instant;
  /** The round visits Jobs that were created after `newFrom`, up to `newTo`, once. Absent without wide lists. */
  readonly newFrom?: Instant;
  readonly newTo?: Instant;
}

export const sweepRound = recordCodec<SweepRound>(
  "position",
  v.looseObject({
    startedAt: v.number(),
    previousStartedAt: v.number(),
    newFrom: v.exactOptional(v.number()),
    newTo: v.exactOptional(v.number()),
  }),
);
