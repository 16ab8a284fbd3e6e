import type { CountTable } from "./count-table.ts";

/**
 * What the cells of a sum no longer distinguish: 0 nothing, 1 owners, 2 owners and namespaces. A cluster may send Jobs
 * with any number of owners, and a record has a limit. Without this one, a single cluster could stop the counts of all.
 *
 * It only grows, so that a Job is subtracted from the cell to which it was added.
 */
export type Coarseness = 0 | 1 | 2;

/** The group of Jobs whose owners are not distinguished. An owner is `Kind/name`. */
export const OTHER_OWNERS = "other";

/** A table as a sum of this coarseness has it. */
export function coarsened(table: CountTable, coarse: Coarseness): CountTable {
  if (coarse === 0) return table;
  return table.renamed(({ namespace, group }) => ({
    namespace: coarse === 2 ? "" : namespace,
    group: group === "" ? "" : OTHER_OWNERS,
  }));
}

export function coarser(coarse: Coarseness): Coarseness {
  return coarse === 0 ? 1 : 2;
}
