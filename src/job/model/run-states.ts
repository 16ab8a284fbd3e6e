/** Every state of a run, as the API spells and orders them. */
export const RUN_STATES = [
  "Pending",
  "Queued",
  "Running",
  "Suspended",
  "Complete",
  "Failed",
  "Deleted",
  "Unknown",
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The state of this name, in any case. */
export function runStateOf(text: string): RunState | undefined {
  return RUN_STATES.find((state) => state.toLowerCase() === text.toLowerCase());
}
