import * as v from "valibot";
import type { Instant } from "../../../job/model/instant.ts";
import type { LogKey } from "../../log.ts";
import { logKey } from "../log-key.ts";
import { recordCodec } from "../record-codec.ts";

/** A Job whose state could not be corrected. */
export interface RefusedJob {
  /** `CLUSTER#UID`. */
  readonly job: string;
  readonly reason: string;
}

/** Kind `position`, key `#unit#NAME`: the progress of one unit of a replay. The next replay writes it again. */
export interface UnitRecord {
  /** The replay that the record belongs to. A record of an earlier replay is ignored. */
  readonly run: number;
  /** Everything up to here took effect; absent at the start, and when the unit is done. */
  readonly place?: string;
  readonly segments: number;
  readonly facts: number;
  /** Items that could not be processed. They are tried once more at the end of the replay. */
  readonly failed: readonly LogKey[];
  /** The groups of objects that the unit has spread (src/upkeep/replay/spread). @default none */
  readonly spread?: readonly string[];
  /** @default none */
  readonly refused?: readonly RefusedJob[];
  readonly isDone: boolean;
  /** Until when a worker may be processing the unit; 0 if none is. */
  readonly heldUntil: Instant;
}

export const unitRecord = recordCodec<UnitRecord>(
  "position",
  v.looseObject({
    run: v.number(),
    place: v.exactOptional(v.string()),
    segments: v.number(),
    facts: v.number(),
    failed: v.array(logKey),
    spread: v.exactOptional(v.array(v.string())),
    refused: v.exactOptional(v.array(v.looseObject({ job: v.string(), reason: v.string() }))),
    isDone: v.boolean(),
    heldUntil: v.number(),
  }),
);
