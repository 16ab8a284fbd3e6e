import * as v from "valibot";
import type { Instant } from "../../../job/model/instant.ts";
import type { LogKey } from "../../log.ts";
import type { ProjectionName } from "../../projections.ts";
import { logKey } from "../log-key.ts";
import { recordCodec } from "../record-codec.ts";
import { type SweepPosition, sweepPosition } from "../sweep-checkpoint.ts";

/** Kind `position`, key `#replay`: the progress of a replay. Any process can continue from it. */
export interface ReplayCheckpoint {
  /** Identifies the replay: each one has the next number. Its units have it, too (unit-record.ts). @default 0 */
  readonly run?: number;
  /** The projection that is being rebuilt; the other one answers. */
  readonly building: ProjectionName;
  readonly stage: ReplayStage;
  /** Whether the rebuilt projection stays beside the one that answers, for a comparison. @default false */
  readonly isTrial?: boolean;
  /** Log items that were projected; 0 until the replay has ended. */
  readonly segments: number;
  /** Items that could not be projected, including those that failed again at the end. */
  readonly failed: readonly LogKey[];
  /** Until when one process owns the replay. The process may have been killed. */
  readonly heldUntil: Instant;
  /** Where the update of the rebuilt list rows continues. Absent before its first step. */
  readonly settledTo?: SweepPosition;
}

export type ReplayStage =
  /** Nothing was done yet, or the projection is being emptied. */
  | { readonly stage: "clearing" }
  /**
   * The log and the idle projection are spread over buckets. Segments that arrive after `since` are read again at the
   * end. `erasures`: the version of the erasures; after a change, the replay begins again.
   */
  | ({ readonly stage: "spreading" } & SpreadStage)
  /** The Jobs of each bucket are corrected in the idle projection. */
  | ({ readonly stage: "joining" } & SpreadStage)
  /** After its Jobs, the runs of each bucket are corrected. */
  | ({ readonly stage: "joiningRuns" } & SpreadStage)
  /**
   * The units of the log are being projected. In a replay that an earlier release began, they are absent and are listed
   * when it continues.
   */
  | { readonly stage: "folding"; readonly units?: readonly string[] }
  /**
   * `switched`: the rebuilt projection answers. `kept`: the other one still answers, and both are kept up to date.
   * `incomplete`: some items failed, and the other one still answers.
   */
  | { readonly stage: "ended"; readonly outcome: "switched" | "kept" | "incomplete" };

export const replayStageName = v.picklist(["clearing", "spreading", "joining", "joiningRuns", "folding", "ended"]);
export type ReplayStageName = ReplayStage["stage"];

export interface SpreadStage {
  readonly units: readonly string[];
  readonly since: Instant;
  readonly erasures: number;
}

const spreadStage = { units: v.array(v.string()), since: v.number(), erasures: v.number() };

export const replayCheckpoint = recordCodec<ReplayCheckpoint>(
  "position",
  v.looseObject({
    run: v.exactOptional(v.number()),
    building: v.picklist(["A", "B"]),
    isTrial: v.exactOptional(v.boolean()),
    stage: v.variant("stage", [
      v.looseObject({ stage: v.literal("clearing") }),
      v.looseObject({ stage: v.literal("spreading"), ...spreadStage }),
      v.looseObject({ stage: v.literal("joining"), ...spreadStage }),
      v.looseObject({ stage: v.literal("joiningRuns"), ...spreadStage }),
      v.looseObject({ stage: v.literal("folding"), units: v.exactOptional(v.array(v.string())) }),
      v.looseObject({ stage: v.literal("ended"), outcome: v.picklist(["switched", "kept", "incomplete"]) }),
    ]),
    segments: v.number(),
    failed: v.array(logKey),
    heldUntil: v.number(),
    settledTo: v.exactOptional(sweepPosition),
  }),
);
