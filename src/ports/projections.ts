import type { JobStore } from "./jobs.ts";

/** Two projections of Jobs: one answers, the other may be rebuilt behind it. */
export type ProjectionName = "A" | "B";

/** The projections there are. Both may be open at once. */
export interface Projections {
  open(name: ProjectionName): JobStore;
  /**
   * Forgets everything that is in it when it begins: states, index rows, pages. Stops where `hasTime` says no, and is `paused`: begun again, it finds less.
   * What was begun is over when the promise resolves; a write that comes after it stays.
   */
  clear(name: ProjectionName, hasTime?: () => boolean): Promise<Cleared>;
}

export type Cleared = "empty" | "paused";
