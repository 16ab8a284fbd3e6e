/** Every state of a Job, as the API spells and orders them. */
export const STATES = ["Pending", "Running", "Suspended", "Complete", "Failed", "Deleted", "Unknown"] as const;
export type State = (typeof STATES)[number];

/** The state of this name in any case. */
export function stateOf(text: string): State | undefined {
  return STATES.find((state) => state.toLowerCase() === text.toLowerCase());
}

export function isState(text: string): text is State {
  return STATES.some((state) => state === text);
}

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
