import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `position`, key `#sweepRound`: when the sweep last began at the first namespace, and the time before. */
export interface SweepRound {
  readonly startedAt: Instant;
  readonly previousStartedAt: Instant;
}

export const sweepRound = recordCodec<SweepRound>(
  "position",
  v.looseObject({ startedAt: v.number(), previousStartedAt: v.number() }),
);
