import type { ReplayCheckpoint } from "../ports/records/replay-checkpoint.ts";

/**
 * A command to the replay function. `begin` starts a replay and returns at once, `try` starts a trial and returns at
 * once, `start` starts a replay and returns the report of its first turn, `continue` runs a turn of the current one,
 * `status` returns its progress.
 */
export interface ReplayCommand {
  readonly action: (typeof REPLAY_ACTIONS)[number];
}

export const REPLAY_ACTIONS = ["begin", "try", "start", "continue", "status"] as const;

/** Answers to `begin` and `status`. */
export type ReplayAnswer =
  | { readonly outcome: "begun" }
  /** Another replay is running. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** The progress of the current or last replay. `replay` is unset if none was ever started. */
  | { readonly outcome: "status"; readonly replay?: ReplayCheckpoint };
