import type { JobPage, JobRow, ListOptions, ListPosition } from "../../ports/jobs.ts";
import { compareText } from "../../job/model/compare-text.ts";
import type { ClusterName, JobUid } from "../../job/model/ids.ts";
import type { Instant } from "../../job/model/instant.ts";

export type ListOrder = NonNullable<ListOptions["order"]>;

/** One list of Jobs in order of position: a partition of an index. */
export interface RowSource {
  readonly cluster: ClusterName;
  read(options: ListOptions): Promise<JobPage>;
}

/** A place in the merge of many lists: newest creation first, then by cluster and uid; or the exact reverse. */
export interface MergedPosition {
  readonly createdAt: Instant;
  readonly cluster: string;
  readonly jobUid: JobUid;
}

export type PlacedRow = JobRow & MergedPosition & { readonly cluster: ClusterName };

/** How many partitions are asked at the same time. */
const PARALLEL = 16;

/** What to read of a merge: strictly after `after`. */
export interface MergeRange {
  readonly order: ListOrder;
  readonly after?: MergedPosition | undefined;
  readonly pageSize: number;
}

/** The rows of all sources in one order; each source is read no further than it is needed. */
export async function* mergeRows(sources: readonly RowSource[], range: MergeRange): AsyncGenerator<PlacedRow> {
  const heads = await openAll(sources, range);
  const way = range.order === "newest" ? 1 : -1;
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (comparePositions(a.row, b.row) * way <= 0 ? a : b));
    yield first.row;
    const next = await first.rows.next();
    if (next.done === true) heads.splice(heads.indexOf(first), 1);
    else first.row = next.value;
  }
}

function comparePositions(a: MergedPosition, b: MergedPosition): number {
  return b.createdAt - a.createdAt || compareText(a.cluster, b.cluster) || compareText(a.jobUid, b.jobUid);
}

interface Head {
  row: PlacedRow;
  readonly rows: AsyncGenerator<PlacedRow>;
}

/** Three times its share of a page, at least this many rows, is read of each partition at first: on DynamoDB each row that is read costs, whether a page takes it or not. */
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

/** A partition that gives most of a page is read in larger and larger steps, so that it is not waited for again and again. */
async function* rowsOf(
  source: RowSource,
  { order, after: start, pageSize }: MergeRange,
  first: number,
): AsyncGenerator<PlacedRow> {
  let after = positionIn(source.cluster, start);
  let limit = first;
  do {
    const page: JobPage = await source.read({ order, ...(after && { after }), limit });
    limit = Math.min(pageSize, 2 * limit);
    for (const row of page.rows) yield { ...row, cluster: source.cluster };
    after = page.next;
  } while (after !== undefined);
}

/** Above every uid: they are printable ASCII. */
const BEYOND_UIDS = "\u007f";

/**
 * A position of the merge as a position in one cluster's lists. Newest first, clusters that stand before it by name have given all of that instant and
 * those behind none; oldest first it is the other way round, and so is the order of uids: one formula does for both.
 */
function positionIn(cluster: string, after: MergedPosition | undefined): ListPosition | undefined {
  if (after === undefined) return undefined;
  const side = compareText(cluster, after.cluster);
  if (side === 0) return { createdAt: after.createdAt, jobUid: after.jobUid };
  // A place between uids, which need not be one itself.
  return { createdAt: after.createdAt, jobUid: (side < 0 ? BEYOND_UIDS : "") as JobUid };
}
