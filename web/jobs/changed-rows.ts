import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { isSelected, type JobFilter } from "../../src/query/list/job-filter.ts";
import { type JobListRow, jobListRow } from "./job-list-row.ts";

export interface ListedRange {
  readonly filter: JobFilter;
  /** `other`: a new row can be placed only if all rows are loaded. The table sorts them then. */
  readonly order: "newest" | "oldest" | "other";
  /** Jobs that match and follow the last row are not loaded. */
  readonly more: boolean;
}

/**
 * The rows with Jobs that changed since they were read. A Job that no longer matches the filter is removed. One that
 * matches now is inserted by its creation, unless it belongs to the part that is not loaded.
 */
export function withChanges(
  rows: readonly JobListRow[],
  jobs: readonly JobAnswer[],
  { filter, order, more }: ListedRange,
): readonly JobListRow[] {
  if (jobs.length === 0) return rows;
  const changed = new Map(jobs.map((job) => [keyOf(job), job] as const));
  const known = new Set(rows.map(keyOf));
  const kept = rows.flatMap((row) => {
    const job = changed.get(keyOf(row));
    return job === undefined ? [row] : changedRow(row, job, filter);
  });
  if (order === "other" && more) return kept;
  const compare = (a: JobListRow, b: JobListRow): number => (order === "oldest" ? 1 : -1) * byCreation(a, b);
  const last = rows.at(-1);
  const added = [...changed.values()]
    .filter((job) => !known.has(keyOf(job)) && isSelected("everything", filter, job))
    .map(jobListRow)
    .filter((row) => !more || (last !== undefined && compare(row, last) < 0));
  if (order === "other") return [...kept, ...added];
  return added.length === 0 ? kept : [...kept, ...added].sort(compare);
}

/**
 * A row after a change; none if it no longer matches. The change may be older than the row, because a reader begins
 * some seconds before the present. Unlike lists, changes do not say what gaps and silence mean for a Job.
 */
function changedRow(row: JobListRow, job: JobAnswer, filter: JobFilter): readonly JobListRow[] {
  const next = jobListRow(job);
  if (next.asOf < row.asOf) return [row];
  if (!isSelected("everything", filter, job)) return [];
  const staleSince = next.asOf > row.asOf ? next.staleSince : row.staleSince;
  const { expectedEnd, reserved } = row;
  return [
    {
      ...next,
      staleSince,
      incomplete: next.incomplete || row.incomplete,
      // Changes do not say these either. What a Job reserved is known once it is over, and stays.
      expectedEnd: next.final ? undefined : expectedEnd,
      reserved,
    },
  ];
}

/** A Job that was restored in another cluster has the same uid. */
export function keyOf({ cluster, uid }: Pick<JobListRow, "cluster" | "uid">): string {
  return `${cluster}/${uid}`;
}

function byCreation(a: JobListRow, b: JobListRow): number {
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
}
