import type { Verdict } from "../../src/job/status/job-verdict.ts";

export type State = Verdict["state"];

/** Every state, in display order. */
export const STATES = [
  "Running",
  "Pending",
  "Suspended",
  "Complete",
  "Failed",
  "Deleted",
  "Unknown",
] as const satisfies readonly State[];
