import * as v from "valibot";
import type { Instant } from "../../job/model/instant.ts";
import type { PackPlace } from "../log.ts";
import { packPlace } from "./log-key.ts";
import { recordCodec } from "./record-codec.ts";

/**
 * Kind `waiting`: segments with facts of a large Job that are not projected yet (src/projection/write-coalescing.ts). A
 * few hundred bytes take one write unit, where the state takes thirty.
 */
export interface WaitingSegments {
  /** When their projection was last queued, by the time of the segments. */
  readonly calledAt: Instant;
  readonly names: readonly WaitingSegment[];
}

export interface WaitingSegment {
  readonly sealedAt: Instant;
  readonly session: string;
  readonly sequence: number;
  /** The pack in which it arrived first; absent for a log item of its own. */
  readonly pack?: PackPlace;
}

export const waitingRecord = recordCodec<WaitingSegments>(
  "waiting",
  v.looseObject({
    calledAt: v.number(),
    names: v.array(
      v.looseObject({
        sealedAt: v.number(),
        session: v.string(),
        sequence: v.number(),
        pack: v.exactOptional(packPlace),
      }),
    ),
  }),
);
