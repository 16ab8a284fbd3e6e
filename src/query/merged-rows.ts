import type { JobPage, JobRow, ListPosition } from "../ports/jobs.ts";
import type { ClusterName, JobUid } from "../job/ids.ts";
import type { Instant } from "../job/instant.ts";

/** One list of Jobs in order of position: a partition of an index. */
export interface RowSource {
  readonly cluster: ClusterName;
  read(options: { readonly after?: ListPosition; readonly limit: number }): Promise<JobPage>;
}

/** A place in the merge of many lists: newest creation first, then by cluster and uid. */
export interface MergedPosition {
  readonly createdAt: Instant;
  readonly cluster: string;
  readonly jobUid: JobUid;
}

export type PlacedRow = JobRow & MergedPosition & { readonly cluster: ClusterName };

/** How many partitions are asked at the same time. */
const PARALLEL = 16;

/** The rows of all sources in one order, strictly after `after`; each source is read no further than it is needed. */
export async function* mergeRows(
  sources: readonly RowSource[],
  { after, pageSize }: { readonly after?: MergedPosition | undefined; readonly pageSize: number },
): AsyncGenerator<PlacedRow> {
  const heads = await openAll(sources, after, pageSize);
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (comparePositions(a.row, b.row) <= 0 ? a : b));
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

async function openAll(
  sources: readonly RowSource[],
  after: MergedPosition | undefined,
  pageSize: number,
): Promise<Head[]> {
  const heads: Head[] = [];
  for (let from = 0; from < sources.length; from += PARALLEL) {
    const opened = await Promise.all(
      sources.slice(from, from + PARALLEL).map(async (source) => {
        const rows = rowsOf(source, positionIn(source.cluster, after), pageSize);
        const first = await rows.next();
        return first.done === true ? [] : [{ row: first.value, rows }];
      }),
    );
    heads.push(...opened.flat());
  }
  return heads;
}

async function* rowsOf(
  source: RowSource,
  start: ListPosition | undefined,
  pageSize: number,
): AsyncGenerator<PlacedRow> {
  let after = start;
  do {
    const page: JobPage = await source.read({ ...(after && { after }), limit: pageSize });
    for (const row of page.rows) yield { ...row, cluster: source.cluster };
    after = page.next;
  } while (after !== undefined);
}

/** Above every uid: they are printable ASCII. */
const BEYOND_UIDS = "\u007f";

/** A position of the merge as a position in one cluster's lists: clusters that stand before have given all of that instant, those behind none. */
function positionIn(cluster: string, after: MergedPosition | undefined): ListPosition | undefined {
  if (after === undefined) return undefined;
  const side = compareText(cluster, after.cluster);
  if (side === 0) return { createdAt: after.createdAt, jobUid: after.jobUid };
  return { createdAt: after.createdAt, jobUid: (side < 0 ? BEYOND_UIDS : "") as JobUid };
}

/** By code units, as the stores compare keys. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
