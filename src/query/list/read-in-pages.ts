import { formatInstant, type Instant } from "../../job/model/instant.ts";
import type { Scope } from "../access/scope.ts";
import type { JobFilter } from "./job-filter.ts";
import { readRows, type RowPorts } from "./list-jobs.ts";
import type { PlacedRow } from "./merged-rows.ts";

const PAGE = 500;
/** All Jobs of one instant are read, even beyond the limit, up to this multiple of it. */
const MAX_TIMES_BOUND = 2;

/** What a report reads. */
export interface RowsToRead {
  readonly filter: JobFilter;
  /** The most Jobs, newest first. */
  readonly bound: number;
  readonly add: (rows: readonly PlacedRow[]) => Promise<void>;
}

/** How far a report has read. */
export interface RowsRead {
  /** Whether every Job of its range was read. */
  readonly complete: boolean;
  /** If not: the Jobs created at this time or later. */
  readonly partial?: { readonly since: string };
}

/** Reads the rows of Jobs, newest first, and passes them on in pages. */
export async function readInPages(
  ports: RowPorts,
  scope: Scope,
  { filter, bound, add }: RowsToRead,
): Promise<RowsRead> {
  let read = 0;
  let oldest: Instant | undefined;
  let page: PlacedRow[] = [];
  let isPartial = false;
  for await (const row of readRows(ports, scope, { filter, pageSize: PAGE })) {
    // The Jobs of one instant are read together, so that the answer is exact from `since` on.
    isPartial = (read >= bound && row.createdAt !== oldest) || read === MAX_TIMES_BOUND * bound;
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
