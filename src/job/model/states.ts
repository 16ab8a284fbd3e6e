/** Every state of a verdict, as the API spells and orders them. */
export const STATES = ["Pending", "Running", "Suspended", "Complete", "Failed", "Deleted", "Unknown"] as const;
export type State = (typeof STATES)[number];

export function isState(text: string): text is State {
  return STATES.some((state) => state === text);
}
