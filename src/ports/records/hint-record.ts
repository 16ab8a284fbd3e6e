import * as v from "valibot";
import type { HintRecord } from "../../job/model/cluster-context.ts";
import { hintFact } from "./cluster-fact-schemas.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `hints`, by the object that the hints are about. */
export const hintRecord = recordCodec<HintRecord>("hints", v.looseObject({ hints: v.array(hintFact) }));
