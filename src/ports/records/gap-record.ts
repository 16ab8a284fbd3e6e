import type { GapRecorded } from "../../job/model/fact.ts";
import { gapRecorded } from "./cluster-fact-schemas.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `gap`, by the gap's id. */
export const gapRecord = recordCodec<GapRecorded>("gap", gapRecorded);
