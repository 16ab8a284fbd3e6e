import type { JobListRow } from "./job-list-row.ts";

type Filters = Readonly<Record<string, string>>;

/**
 * The list with what was heard since it was read. A Job of the list that changed is shown as it is now, or not any more where its state is not
 * asked for; one that is new stands where its creation puts it, if the page itself can tell that it meets the filters.
 */
export function withChanges(
  rows: readonly JobListRow[],
  changed: ReadonlyMap<string, JobListRow>,
  filters: Filters,
): readonly JobListRow[] {
  const known = new Set(rows.map(({ uid }) => uid));
  const replaced = rows.map((row) => changed.get(row.uid) ?? row).filter((row) => hasState(row, filters));
  const added = [...changed.values()].filter((row) => !known.has(row.uid) && isKnownToMeet(row, filters));
  if (added.length === 0) return replaced;
  const oldestFirst = filters["sort"] === "createdAt";
  return [...replaced, ...added].sort((a, b) => (oldestFirst ? 1 : -1) * compare(a, b));
}

function compare(a: JobListRow, b: JobListRow): number {
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
}

function hasState({ state }: JobListRow, { state: wanted }: Filters): boolean {
  return wanted === undefined || wanted.split(",").includes(state);
}

/** Filters that a row can be held to without asking; with any other the next reading of the list tells. */
const TOLD_BY_ROW = new Set(["cluster", "namespace", "name", "state", "sort", "created"]);

function isKnownToMeet(row: JobListRow, filters: Filters): boolean {
  return (
    Object.keys(filters).every((name) => TOLD_BY_ROW.has(name)) &&
    hasState(row, filters) &&
    (["cluster", "namespace", "name"] as const).every(
      (name) => filters[name] === undefined || filters[name] === row[name],
    )
  );
}
