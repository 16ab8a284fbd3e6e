import type { JobListRow } from "./job-list-row.ts";

type Filters = Readonly<Record<string, string>>;

/**
 * The list with the changes since it was read. A changed Job is updated, or removed if its state no longer matches. A
 * new Job is inserted by its creation, if the page can check all filters itself.
 */
export function withChanges(
  rows: readonly JobListRow[],
  changed: ReadonlyMap<string, JobListRow>,
  filters: Filters,
): readonly JobListRow[] {
  const known = new Set(rows.map(({ uid }) => uid));
  const replaced = rows.map((row) => changed.get(row.uid) ?? row).filter((row) => hasState(row, filters));
  const added = [...changed.values()].filter((row) => !known.has(row.uid) && matchesAll(row, filters));
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

/** Filters that the page can check itself. With any other, the next reload of the list decides. */
const CHECKED_FILTERS = new Set(["cluster", "namespace", "name", "state", "sort", "created"]);

function matchesAll(row: JobListRow, filters: Filters): boolean {
  return (
    Object.keys(filters).every((name) => CHECKED_FILTERS.has(name)) &&
    hasState(row, filters) &&
    (["cluster", "namespace", "name"] as const).every(
      (name) => filters[name] === undefined || filters[name] === row[name],
    )
  );
}
