import type { JobAnswer } from "../../explain/answer-document.ts";
import { type ClusterName, decodeClusterName, decodeJobUid } from "../../job/model/ids.ts";
import { EARLIEST, type Instant } from "../../job/model/instant.ts";
import type { JobStore, NamespaceOfJobs } from "../../ports/jobs.ts";
import { clusterNames, namespacesOf } from "../clusters/clusters.ts";
import { markStale } from "../clusters/freshness.ts";
import { addGaps } from "../clusters/known-gaps.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type JobFilter, matchesRow } from "./job-filter.ts";
import {
  afterInstant,
  beforeInstant,
  type ListOrder,
  type MergedPosition,
  mergeRows,
  type PassedKeys,
  type PlacedRow,
  type RowSource,
} from "./merged-rows.ts";
import { wideRows } from "./wide-rows.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, mayReadAll, type Scope } from "../access/scope.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";

/** Which page of a list to read. */
export interface ListQuery {
  readonly filter: JobFilter;
  /**
   * The query with which a cursor must agree. It differs from `filter` if a time bound counts back from the request,
   * which changes between pages. @default filter
   */
  readonly written?: unknown;
  /** By creation. @default "newest" */
  readonly order?: ListOrder | undefined;
  /** 1 to {@link MAX_LIST_LIMIT}. */
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** The most rows to read. @default {@link MAX_ROWS_READ} */
  readonly mostRows?: number;
}

export interface JobListQuery extends ListQuery {
  /**
   * Marks Jobs of clusters that are silent at this instant as stale, and adds recorded gaps. @default rows are
   * unchanged
   */
  readonly now?: Instant;
  /** Whether Jobs that are over have `usage`. @default false */
  readonly usage?: boolean | undefined;
}

export type JobList = ListPage<JobAnswer>;

export type ListPage<Item> =
  | {
      readonly outcome: "listed";
      readonly items: readonly Item[];
      readonly nextCursor?: string;
      /** A cursor for the page after the item at `index`. */
      readonly cursorAfter: (index: number) => string;
      /** Rows that were read for this page, with those that the filter dropped. */
      readonly rowsRead: number;
    }
  | { readonly outcome: "badCursor"; readonly problem: string };

export const MAX_LIST_LIMIT = 500;
/**
 * A page reads at most this many rows, and keys of Jobs that are gone. If filters drop most of them, it returns fewer
 * items and a cursor.
 */
export const MAX_ROWS_READ = 1_000;

/** One page of the Jobs that match the filter. It may have fewer than `limit` items and still have a `nextCursor`. */
export async function listJobs(ports: QueryPorts, scope: Scope, query: JobListQuery): Promise<JobList> {
  const page = await listRows(ports, scope, { ...query, itemIn: (row) => jobIn(row, query) });
  return page.outcome === "listed" ? { ...page, items: await markedItems(ports, page.items, query) } : page;
}

/** One page of the items that `itemIn` finds in rows. */
export async function listRows<Item>(
  ports: ListedRows,
  scope: Scope,
  query: ListQuery & { readonly itemIn: (row: PlacedRow) => Item | undefined },
): Promise<ListPage<Item>> {
  const start = startOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const { filter, order = "newest", mostRows = MAX_ROWS_READ } = query;
  const rows = readPlaces(ports, scope, { filter, order, after: start.position, pageSize: query.limit + 1 });
  const items: Item[] = [];
  const positions: MergedPosition[] = [];
  const cursorAfter = (index: number): string => cursorAt(query, positions[index]);
  let read = 0;
  let last: MergedPosition | undefined;
  for await (const row of rows) {
    if (last !== undefined && (items.length === query.limit || read >= mostRows)) {
      return { outcome: "listed", items, nextCursor: cursorAt(query, last), cursorAfter, rowsRead: read };
    }
    last = row;
    read += keysOf(row);
    const item = isPassed(row) ? undefined : query.itemIn(row);
    if (item === undefined) continue;
    items.push(item);
    positions.push(row);
  }
  return { outcome: "listed", items, cursorAfter, rowsRead: read };
}

function keysOf(place: PlacedRow | PassedKeys): number {
  return isPassed(place) ? place.passed : 1;
}

function jobIn(row: PlacedRow, { filter, usage }: JobListQuery): JobAnswer | undefined {
  const job = readSummary(row, usage);
  return matchesRow(filter, row, job) ? job : undefined;
}

/** How many Jobs are read at once for a streamed page. Each has about 2 kB. */
const PART = 50;

/** A part of a page. The last one has the cursor of the page. */
export type JobListPart = JobList & { readonly isLast: boolean };

/** The same page in parts: each call reads the Jobs after those of the previous one. */
export function listJobsInParts(ports: QueryPorts, scope: Scope, query: JobListQuery): () => Promise<JobListPart> {
  let { limit, cursor, mostRows = MAX_ROWS_READ } = query;
  return async () => {
    const part = await listJobs(ports, scope, { ...query, limit: Math.min(PART, limit), cursor, mostRows });
    if (part.outcome === "badCursor") return { ...part, isLast: true };
    limit -= part.items.length;
    mostRows -= part.rowsRead;
    cursor = part.nextCursor;
    return { ...part, isLast: cursor === undefined || limit === 0 || mostRows <= 0 };
  };
}

/** The items as of now, if the query has a time: with gaps, and marked stale if the cluster is silent. */
export async function markedItems(
  { meta }: QueryPorts,
  items: readonly JobAnswer[],
  { now }: Pick<JobListQuery, "now">,
): Promise<readonly JobAnswer[]> {
  return now === undefined ? items : markStale(meta, await addGaps(meta, items), now);
}

/** The stores that lists read. */
export type RowPorts = Pick<QueryPorts, "jobs" | "meta">;

/** Stores of rows of Jobs, or of runs. */
export interface ListedRows extends Pick<QueryPorts, "meta"> {
  readonly jobs: ListedStore;
}

type ListedStore = Pick<JobStore, "list" | "listByName" | "listAttention" | "wide">;

/** Which rows to read, and from where. */
export interface RowRange {
  readonly filter: JobFilter;
  readonly order?: ListOrder;
  readonly after?: MergedPosition | undefined;
  readonly pageSize: number;
}

/** The rows that may match the filter and that the reader may see. The caller applies the filter and stops reading. */
export async function* readRows(ports: ListedRows, scope: Scope, range: RowRange): AsyncGenerator<PlacedRow> {
  for await (const row of readPlaces(ports, scope, range)) if (!isPassed(row)) yield row;
}

async function* readPlaces(
  ports: ListedRows,
  scope: Scope,
  range: RowRange,
): AsyncGenerator<PlacedRow | PassedKeys, void> {
  const { filter, order = "newest" } = range;
  for await (const row of rowsFrom(ports, scope, range)) {
    if (isBeyond(filter, order, row)) return;
    if (isPassed(row) || mayRead(scope, row.cluster, row.namespace)) yield row;
  }
}

function isPassed(place: PlacedRow | PassedKeys): place is PassedKeys {
  return "passed" in place;
}

/** Reads the lists of all clusters as far as they contain all Jobs, and the lists of the namespaces for the rest. */
async function* rowsFrom(ports: ListedRows, scope: Scope, range: RowRange): ReturnType<Rows> {
  const { filter, order = "newest", pageSize } = range;
  const start = range.after ?? nearEnd(filter, order);
  const merged: Rows = async function* (after) {
    yield* mergeRows(await sourcesFor(ports, scope, filter), { order, after, pageSize });
  };
  const wide = await wideRows(ports.jobs, scope, filter);
  if (wide === undefined) {
    yield* merged(start);
    return;
  }
  const { since } = wide;
  const recent: Rows = (after) => wide.rows({ order, after, pageSize });
  const parts = { since, recent, earlier: merged };
  yield* order === "newest" ? newestOf(parts, start, filter) : oldestOf(parts, start);
}

/** The rows after a position. */
type Rows = (after: MergedPosition | undefined) => AsyncGenerator<PlacedRow | PassedKeys, void>;

interface ListParts {
  readonly since: Instant;
  /** All Jobs that were created at or after `since`. */
  readonly recent: Rows;
  /** All Jobs that were created before. */
  readonly earlier: Rows;
}

async function* newestOf(
  { since, recent, earlier }: ListParts,
  start: MergedPosition | undefined,
  { createdAfter = EARLIEST }: JobFilter,
): ReturnType<Rows> {
  const isRecent = start === undefined || start.createdAt >= since;
  if (isRecent) yield* takeWhile(recent(start), ({ createdAt }) => createdAt >= since);
  if (since > createdAfter) yield* earlier(isRecent ? afterInstant(since, "newest") : start);
}

async function* oldestOf({ since, recent, earlier }: ListParts, start: MergedPosition | undefined): ReturnType<Rows> {
  const isRecent = start !== undefined && start.createdAt >= since;
  if (!isRecent && since > EARLIEST) yield* takeWhile(earlier(start), ({ createdAt }) => createdAt < since);
  yield* recent(isRecent ? start : afterInstant(since - 1, "oldest"));
}

async function* takeWhile(rows: ReturnType<Rows>, isTaken: (row: MergedPosition) => boolean): ReturnType<Rows> {
  for await (const row of rows) {
    if (!isTaken(row)) return;
    yield row;
  }
}

/** Whether this and all later rows were created outside the bounds. */
function isBeyond(
  { createdAfter, createdBefore }: JobFilter,
  order: ListOrder,
  { createdAt }: MergedPosition,
): boolean {
  return order === "newest"
    ? createdAfter !== undefined && createdAt <= createdAfter
    : createdBefore !== undefined && createdAt >= createdBefore;
}

/**
 * The partitions that can contain matching Jobs: one name, the attention list, or the lists of namespaces. The
 * attention list is one per cluster. A reader of some namespaces reads these instead, because skipping the Jobs of
 * others could take unbounded time.
 */
async function sourcesFor({ jobs, meta }: ListedRows, scope: Scope, filter: JobFilter): Promise<readonly RowSource[]> {
  const clusters = filter.cluster === undefined ? await clusterNames(meta, scope) : [filter.cluster];
  const sources = await Promise.all(
    clusters.map(async (cluster) => {
      if (filter.attention === true && mayReadAll(scope, cluster)) return [attentionSource(jobs, cluster)];
      const namespaces = filter.namespace === undefined ? await namespacesOf(meta, scope, cluster) : [filter.namespace];
      return namespaces
        .filter((namespace) => mayRead(scope, cluster, namespace))
        .map((namespace) => namespaceSource(jobs, { cluster, namespace }, filter.name));
    }),
  );
  return sources.flat();
}

function attentionSource(jobs: ListedStore, cluster: ClusterName): RowSource {
  return { cluster, read: (options) => jobs.listAttention({ cluster }, options) };
}

function namespaceSource(jobs: ListedStore, namespace: NamespaceOfJobs, name: string | undefined): RowSource {
  const { cluster } = namespace;
  if (name !== undefined) return { cluster, read: (options) => jobs.listByName({ ...namespace, name }, options) };
  return { cluster, read: (options) => jobs.list(namespace, options) };
}

/** Where a list with a creation bound begins: after all Jobs of that instant, in either order. */
function nearEnd({ createdAfter, createdBefore }: JobFilter, order: ListOrder): MergedPosition | undefined {
  const createdAt = order === "newest" ? createdBefore : createdAfter;
  return createdAt === undefined ? undefined : afterInstant(createdAt, order);
}

type Start =
  | { readonly outcome: "decoded"; readonly position: MergedPosition | undefined }
  | { readonly outcome: "refused"; readonly problem: string };

function startOf(query: ListQuery): Start {
  const { cursor } = query;
  if (cursor === undefined) return { outcome: "decoded", position: undefined };
  const { order = "newest" } = query;
  return decodeCursor(queryOf(query), cursor, ([createdAt, clusterText, uidText, tieOrder]) => {
    const cluster = decodeClusterName(clusterText);
    const jobUid = decodeJobUid(uidText);
    if (typeof createdAt !== "number" || !Number.isSafeInteger(createdAt)) return undefined;
    if (cluster === undefined || jobUid === undefined) return undefined;
    return tieOrder === TIES_BY_UID ? { createdAt, cluster, jobUid } : beforeInstant(createdAt, order);
  });
}

/**
 * Jobs of one instant are ordered by uid. Cursors of earlier versions followed the order of clusters and repeat Jobs of
 * one instant.
 */
const TIES_BY_UID = "u";

/** The cursor of the first page, which has no position. */
function cursorAt(query: ListQuery, position: MergedPosition | undefined): string {
  const { createdAt = Number.MAX_SAFE_INTEGER, cluster = "0", jobUid = "0" } = position ?? {};
  return encodeCursor(queryOf(query), [createdAt, cluster, jobUid, TIES_BY_UID]);
}

function queryOf({ filter, written = filter, order = "newest" }: ListQuery): unknown {
  return { filter: written, order };
}
