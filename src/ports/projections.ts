import type { JobStore } from "./jobs.ts";

/** Two projections of Jobs: one answers queries while a replay rebuilds the other. */
export type ProjectionName = "A" | "B";

/** Both projections may be open at the same time. */
export interface Projections {
  open(name: ProjectionName): JobStore;
  /**
   * Deletes the states, index rows and pages that exist at its start. It is `paused` when `hasTime` returns false; the
   * next call deletes the rest. No deletion is in flight when the promise resolves.
   */
  clear(name: ProjectionName, hasTime?: () => boolean): Promise<Cleared>;
}

export type Cleared = "empty" | "paused";
