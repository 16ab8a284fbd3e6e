import type { ListPosition } from "../../ports/job-row.ts";
import type { JobStore, NamespaceOfJobs } from "../../ports/jobs.ts";
import { readableWithUsage } from "../../projection/job-state/stored-answer.ts";
import { usageByDay } from "./usage-by-day.ts";
import { UsageTable } from "./usage-table.ts";

/** What Jobs reserved, by UTC day (`yyyymmdd`). */
export type TablesByDay = ReadonlyMap<string, UsageTable>;

/** Jobs that are read together. */
const PAGE = 100;

/** What the stored Jobs of these namespaces of a cluster reserved. */
export async function usageOfJobs(
  jobs: Pick<JobStore, "list">,
  namespaces: readonly NamespaceOfJobs[],
): Promise<TablesByDay> {
  const days = new Map<string, UsageTable>();
  for (const of of namespaces) {
    let after: ListPosition | undefined;
    do {
      const page = await jobs.list(of, { limit: PAGE, ...(after && { after }) });
      for (const row of page.rows) {
        for (const [day, usage] of usageByDay(readableWithUsage(row)?.usage ?? new Map())) {
          const table = days.get(day) ?? new UsageTable();
          days.set(day, table);
          table.add(of.namespace, usage);
        }
      }
      after = page.next;
    } while (after !== undefined);
  }
  return days;
}
