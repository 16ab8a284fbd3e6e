/** Every state of a verdict, as the API spells and orders them. */
export const STATES = ["Pending", "Running", "Suspended", "Complete", "Failed", "Deleted", "Unknown"] as const;
export type State = (typeof STATES)[number];

/** The state of this name in any case. */
export function stateOf(text: string): State | undefined {
  return STATES.find((state) => state.toLowerCase() === text.toLowerCase());
}

export function isState(text: string): text is State {
  return STATES.some((state) => state === text);
}
