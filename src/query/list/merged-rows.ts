import type { JobRow, ListPosition } from "../../ports/job-row.ts";
import type { JobPage, ListOptions } from "../../ports/jobs.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";

export type ListOrder = NonNullable<ListOptions["order"]>;

/** One partition of an index: a list of Jobs sorted by position. */
export interface RowSource {
  readonly cluster: ClusterName;
  read(options: ListOptions): Promise<JobPage>;
}

/** A position in the merged lists: newest first, then by uid and cluster; or the exact reverse. */
export interface MergedPosition {
  readonly createdAt: Instant;
  readonly cluster: string;
  readonly jobUid: JobUid;
}

export type PlacedRow = JobRow & MergedPosition & { readonly cluster: ClusterName };

/** A position before which a list has keys of Jobs that are gone. */
export interface PassedKeys extends MergedPosition {
  readonly passed: number;
}

/** How many partitions are read at the same time. */
const PARALLEL = 16;

/** What to read of a merge: strictly after `after`. */
export interface MergeRange {
  readonly order: ListOrder;
  readonly after?: MergedPosition | undefined;
  readonly pageSize: number;
}

/** Merges the rows of all sources. Reads each source only as far as needed. */
export async function* mergeRows(sources: readonly RowSource[], range: MergeRange): AsyncGenerator<PlacedRow, void> {
  const heads = await openAll(sources, range);
  const direction = range.order === "newest" ? 1 : -1;
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (comparePositions(a.row, b.row) * direction <= 0 ? a : b));
    yield first.row;
    const next = await first.rows.next();
    if (next.done === true) heads.splice(heads.indexOf(first), 1);
    else first.row = next.value;
  }
}

function comparePositions(a: MergedPosition, b: MergedPosition): number {
  return b.createdAt - a.createdAt || compareText(a.jobUid, b.jobUid) || compareText(a.cluster, b.cluster);
}

interface Head {
  row: PlacedRow;
  readonly rows: AsyncGenerator<PlacedRow, void>;
}

/**
 * The smallest first read of a partition. It reads three times its share of the page at first, because DynamoDB charges
 * for every row that is read, whether the page uses it or not.
 */
const LEAST_READ = 10;

function firstRead(sources: readonly RowSource[], { pageSize }: MergeRange): number {
  return Math.min(pageSize, Math.max(LEAST_READ, Math.ceil((3 * pageSize) / sources.length)));
}

async function openAll(sources: readonly RowSource[], range: MergeRange): Promise<Head[]> {
  const heads: Head[] = [];
  const limit = firstRead(sources, range);
  for (let from = 0; from < sources.length; from += PARALLEL) {
    const opened = await Promise.all(
      sources.slice(from, from + PARALLEL).map(async (source) => {
        const rows = rowsOf(source, range, limit);
        const first = await rows.next();
        return first.done === true ? [] : [{ row: first.value, rows }];
      }),
    );
    heads.push(...opened.flat());
  }
  return heads;
}

/** Reads a partition in growing steps, so that one which fills most of a page needs few requests. */
async function* rowsOf(
  source: RowSource,
  { order, after: start, pageSize }: MergeRange,
  first: number,
): AsyncGenerator<PlacedRow, void> {
  let after = positionIn(source.cluster, start, order);
  let limit = first;
  do {
    const page: JobPage = await source.read({ order, ...(after && { after }), limit });
    limit = Math.min(pageSize, 2 * limit);
    for (const row of page.rows) yield { ...row, cluster: source.cluster };
    after = page.next;
  } while (after !== undefined);
}

/**
 * Converts a position of the merge to a position in the lists of one cluster. Jobs of two clusters can have the same
 * uid and instant. The names of their clusters then decide which of them comes first.
 */
function positionIn(cluster: string, after: MergedPosition | undefined, order: ListOrder): ListPosition | undefined {
  if (after === undefined) return undefined;
  const { createdAt, jobUid } = after;
  const isNext = compareText(cluster, after.cluster) * (order === "newest" ? 1 : -1) > 0;
  if (!isNext) return { createdAt, jobUid };
  return { createdAt, jobUid: order === "newest" ? justBefore(jobUid) : justAfter(jobUid) };
}

/** A boundary after all uids that are less than `uid`. Uids are printable ASCII without spaces. */
function justBefore(uid: JobUid): JobUid {
  if (uid === "") return uid;
  const last = String.fromCodePoint((uid.codePointAt(uid.length - 1) ?? 0) - 1);
  return `${uid.slice(0, -1)}${last}\u007F` as JobUid;
}

/** A boundary after `uid` and before all greater uids. */
function justAfter(uid: JobUid): JobUid {
  return `${uid} ` as JobUid;
}

/** The position after all Jobs of one instant. */
export function afterInstant(createdAt: Instant, order: ListOrder): MergedPosition {
  // A boundary between uids, not the uid of a Job.
  return { createdAt, cluster: order === "newest" ? "~" : "", jobUid: (order === "newest" ? "\u007F" : "") as JobUid };
}

/** The position before all Jobs of one instant. */
export function beforeInstant(createdAt: Instant, order: ListOrder): MergedPosition {
  return afterInstant(order === "newest" ? createdAt + 1 : createdAt - 1, order);
}
