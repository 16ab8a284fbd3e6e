import type { Scope } from "../access/scope.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { QueryPorts } from "../ports.ts";
import { countedSummary } from "./counted-summary.ts";
import { tallyRows } from "./row-tally.ts";
import { type SummaryAnswer, SummaryTallies } from "./summary.ts";
import type { SummaryGrouping } from "./summary-group.ts";

export interface SummaryQuery {
  readonly filter: JobFilter;
  readonly by?: SummaryGrouping | undefined;
  /** The most Jobs to read, newest first. @default 50,000 */
  readonly bound?: number;
}

/** Counts the Jobs that match the filter: from stored counts if possible, otherwise from their list rows. */
export async function summariseJobs(
  ports: QueryPorts,
  scope: Scope,
  { filter, by, bound }: SummaryQuery,
): Promise<SummaryAnswer> {
  const counted = await countedSummary(ports, scope, { filter, by });
  if (counted !== undefined) return counted;
  const into = new SummaryTallies();
  const completeness = await tallyRows(ports, scope, { filter, by, into, ...(bound !== undefined && { bound }) });
  return { ...into.answer(by !== undefined), ...completeness };
}
