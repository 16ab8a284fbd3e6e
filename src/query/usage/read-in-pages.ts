import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { Scope } from "../access/scope.ts";
import type { JobFilter } from "../list/job-filter.ts";
import { readRows } from "../list/list-jobs.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import type { QueryPorts } from "../ports.ts";

const PAGE = 500;

/** What a report reads. */
export interface RowsToRead {
  readonly filter: JobFilter;
  /** The most Jobs, newest first. */
  readonly most: number;
  readonly add: (rows: readonly PlacedRow[]) => Promise<void>;
}

/** How far a report has read. */
export interface RowsRead {
  /** Whether every Job of its range was read. */
  readonly complete: boolean;
  /** If not: only Jobs created at this time or later. */
  readonly partial?: { readonly since: string };
}

/** Reads the rows of Jobs, newest first, and passes them on in pages. */
export async function readInPages(
  ports: QueryPorts,
  scope: Scope,
  { filter, most, add }: RowsToRead,
): Promise<RowsRead> {
  let read = 0;
  let oldest: Instant | undefined;
  let page: PlacedRow[] = [];
  let isPartial = false;
  for await (const row of readRows(ports, scope, { filter, pageSize: PAGE })) {
    isPartial = read >= most;
    if (isPartial) break;
    read += 1;
    oldest = row.createdAt;
    page.push(row);
    if (page.length < PAGE) continue;
    await add(page);
    page = [];
  }
  await add(page);
  if (!isPartial || oldest === undefined) return { complete: true };
  return { complete: false, partial: { since: formatInstant(oldest) } };
}
