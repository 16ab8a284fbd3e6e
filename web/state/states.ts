import type { State } from "./state-badge.tsx";

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
