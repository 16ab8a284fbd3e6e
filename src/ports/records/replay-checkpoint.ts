import * as v from "valibot";
import { type ClusterName, decodeClusterName } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { LogDay, LogKey } from "../log.ts";
import type { ProjectionName } from "../projections.ts";
import { logKey } from "./log-key.ts";
import { recordCodec } from "./record-codec.ts";

/** Kind `position`, key `#replay`: the progress of a replay. Any process can continue from it. */
export interface ReplayCheckpoint {
  /** The projection that is being rebuilt; the other one answers. */
  readonly building: ProjectionName;
  readonly stage: ReplayStage;
  /** Whether the rebuilt projection stays beside the one that answers, for a comparison. @default false */
  readonly isTrial?: boolean;
  /** Log items projected so far. */
  readonly segments: number;
  /** Items that could not be projected. They are retried once at the end. */
  readonly failed: readonly LogKey[];
  /** Until when the replay belongs to one process, which may have been killed. */
  readonly heldUntil: Instant;
}

export type ReplayStage =
  /** The projection is being emptied. */
  | { readonly stage: "clearing" }
  /**
   * The log is being projected. Everything before `day` is, and `day` up to `after`; both are absent at the start. Then
   * come the packs: all days are projected, and all packs up to the sort key `pack`.
   */
  | { readonly stage: "folding"; readonly day?: LogDay; readonly after?: LogKey; readonly pack?: string }
  /**
   * `switched`: the rebuilt projection answers. `kept`: the other one still answers, and both are kept up to date.
   * `incomplete`: some items failed, and the other one still answers.
   */
  | { readonly stage: "ended"; readonly outcome: "switched" | "kept" | "incomplete" };

const cluster = v.custom<ClusterName>((name) => decodeClusterName(name) !== undefined, "Invalid cluster name");

export const replayCheckpoint = recordCodec<ReplayCheckpoint>(
  "position",
  v.looseObject({
    building: v.picklist(["A", "B"]),
    isTrial: v.exactOptional(v.boolean()),
    stage: v.variant("stage", [
      v.looseObject({ stage: v.literal("clearing") }),
      v.looseObject({
        stage: v.literal("folding"),
        day: v.exactOptional(v.looseObject({ cluster, day: v.string() })),
        after: v.exactOptional(logKey),
        pack: v.exactOptional(v.string()),
      }),
      v.looseObject({ stage: v.literal("ended"), outcome: v.picklist(["switched", "kept", "incomplete"]) }),
    ]),
    segments: v.number(),
    failed: v.array(logKey),
    heldUntil: v.number(),
  }),
);
