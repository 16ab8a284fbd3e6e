import type { JobStore } from "./jobs.ts";

/** Two projections of Jobs: one answers, the other may be rebuilt behind it. */
export type ProjectionName = "A" | "B";

/** The projections there are. Both may be open at once. */
export interface Projections {
  open(name: ProjectionName): JobStore;
  /** Forgets everything in it: states, index rows, pages. Resolves when it is empty; a write that comes after it stays. */
  clear(name: ProjectionName): Promise<void>;
}
