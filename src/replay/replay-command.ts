import type { ReplayCheckpoint } from "./replay-checkpoint.ts";

/**
 * From who runs the deployment to the replay function. `begin` begins a replay and does not wait for it, `start` begins one and gives the report of its first
 * turn, `continue` takes a turn of the one that is under way, `status` tells how far it is.
 */
export interface ReplayCommand {
  readonly action: (typeof REPLAY_ACTIONS)[number];
}

export const REPLAY_ACTIONS = ["begin", "start", "continue", "status"] as const;

/** Answers to `begin` and `status`. */
export type ReplayAnswer =
  | { readonly outcome: "begun" }
  /** One is under way and was not begun anew. */
  | { readonly outcome: "refused"; readonly reason: string }
  /** How far it is; without `replay` there never was one. */
  | { readonly outcome: "status"; readonly replay?: ReplayCheckpoint };
