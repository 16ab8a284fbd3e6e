import type { Verdict } from "../../src/job/status/job-verdict.ts";

export type State = Verdict["state"];

/** Every state, in the order that filters and sums show them. */
export const STATES = [
  "Running",
  "Pending",
  "Suspended",
  "Complete",
  "Failed",
  "Deleted",
  "Unknown",
] as const satisfies readonly State[];
