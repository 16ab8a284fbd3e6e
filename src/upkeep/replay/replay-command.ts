import * as v from "valibot";
import { type ReplayCheckpoint, replayStageName } from "../../ports/records/replay/replay-checkpoint.ts";
import type { ReplayProgress } from "./parallel-replay.ts";

/**
 * A command to the replay function. The state machine of a replay sends `begin` (a replay), `try` (a trial) or `resume`
 * first. For each stage, it then sends `prepare`, `unit` for each unit, and `finish`. `status` returns the progress.
 */
export const replayCommand = v.variant("action", [
  v.object({ action: v.picklist(["begin", "try", "resume", "prepare", "status"]) }),
  v.object({ action: v.literal("unit"), run: v.number(), unit: v.string() }),
  // What `prepare` has returned. Executions that an earlier release started do not send it.
  v.object({ action: v.literal("finish"), run: v.exactOptional(v.number()), stage: v.exactOptional(replayStageName) }),
]);
export type ReplayCommand = v.InferOutput<typeof replayCommand>;

/** Answers to `begin`, `try`, `resume` and `status`. */
export type ReplayAnswer =
  | { readonly outcome: "begun" }
  /** Another replay is running, or there is none to resume. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** The progress of the current or last replay. Both are unset if none was ever started. */
  | { readonly outcome: "status"; readonly replay?: ReplayCheckpoint; readonly progress?: ReplayProgress };
