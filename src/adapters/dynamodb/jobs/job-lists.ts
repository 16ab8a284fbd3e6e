import { type ClusterName, decodeClusterName, type JobUid } from "../../../job/model/ids.ts";
import type { Retry } from "../../../ports/concurrency/retry.ts";
import type { ExternalRun, JobPage, ListOptions } from "../../../ports/jobs.ts";
import type { WideClass, WideJob, WideOptions, WidePage } from "../../../ports/wide-lists.ts";
import { type Item, textOf } from "../attribute.ts";
import { batchGet } from "../batch-get-items.ts";
import { decodeCreated, encodeCreated } from "./created-key.ts";
import { type DynamoTable, type ItemKey, queryPage } from "../dynamo-table.ts";
import { jobOfPartition, ROW_ATTRIBUTES, STATE_ATTRIBUTES, toRow, toState } from "./job-item.ts";
import { isRecordPartition, wideClassOf } from "./list-partition.ts";
import { type JobList, mergeEntries, shareOf } from "./merge-entries.ts";
import type { Entry } from "./partition-reader.ts";
import { JOB_INDEXES } from "../../../ports/deployment/tables.ts";

/**
 * One page of a list: its entries merged from their partitions, then the rows of their states. An index lags its table
 * by milliseconds, so an entry may be outdated. Its Job is still returned, because a Job must not be missing from every
 * list. A Job that DynamoDB has just deleted makes its page shorter.
 */
export async function readList(
  table: DynamoTable,
  list: JobList,
  { options, retry }: { readonly options: ListOptions; readonly retry: Retry },
): Promise<JobPage> {
  const { limit, after, order = "newest", withStates = false } = options;
  const start = after && { pk: "", created: encodeCreated(after) };
  const { entries, isMore } = await mergeEntries(table, list, { start, limit, backwards: order === "oldest" });
  const keys = stateKeysOf(entries);
  const attributes = withStates ? [...ROW_ATTRIBUTES, ...STATE_ATTRIBUTES] : ROW_ATTRIBUTES;
  const items = await batchGet(table, keys, { attributes, retry, consistent: withStates });
  const byKey = new Map(items.map((item) => [textOf(item, "pk"), item]));
  const rows = keys.flatMap(({ pk }) => rowAt(pk, byKey.get(pk), withStates));
  const last = entries.at(-1);
  return isMore && last !== undefined ? { rows, next: decodeCreated(last.created) } : { rows };
}

/** The same page, with the cluster of each row. */
export async function readPlacedList(
  table: DynamoTable,
  list: JobList,
  { options: { limit }, retry }: { readonly options: Pick<ListOptions, "limit">; readonly retry: Retry },
): Promise<readonly ExternalRun[]> {
  const { entries } = await mergeEntries(table, list, { limit, backwards: false });
  const items = await batchGet(table, stateKeysOf(entries), { attributes: ROW_ATTRIBUTES, retry });
  const byKey = new Map(items.map((item) => [textOf(item, "pk"), item]));
  return entries.flatMap(({ pk }) => {
    const cluster = clusterOf(pk);
    return cluster === undefined ? [] : rowAt(pk, byKey.get(pk), false).map((row) => ({ ...row, cluster }));
  });
}

interface WideListRange {
  readonly options: WideOptions;
  readonly retry: Retry;
}

/** One page of partitions of the lists of all clusters. */
export async function readWideList(
  table: DynamoTable,
  partitions: readonly string[],
  { options: { after, limit, order = "newest" }, retry }: WideListRange,
): Promise<WidePage> {
  const start = after && { pk: `${after.cluster}#${after.jobUid}`, created: encodeCreated(after) };
  const list: JobList = { index: "wide", partitions };
  const pageSizeOf = (partition: string) => widePageSize(partition, partitions, limit);
  const range = { start, limit, backwards: order === "oldest", pageSizeOf };
  const { entries, isMore } = await mergeEntries(table, list, range);
  const items = await batchGet(table, stateKeysOf(entries), { attributes: ROW_ATTRIBUTES, retry });
  const byKey = new Map(items.map((item) => [textOf(item, "pk"), item]));
  const classes = new Set(partitions.map(wideClassOf));
  const jobs = entries.flatMap((entry) => wideJobAt(entry, byKey.get(entry.pk), classes));
  // A Job that moves to another partition may be in both for a moment, at two positions if it was created earlier.
  const rows = [...new Map(jobs.map((job) => [`${job.cluster}#${job.jobUid}`, job])).values()];
  const last = entries.at(-1);
  if (!isMore || last === undefined) return { rows };
  return { rows, next: { ...decodeCreated(last.created), cluster: clusterOf(last.pk) ?? "" } };
}

function wideJobAt(
  { pk, created, isRecorded }: Entry,
  item: Item | undefined,
  classes: ReadonlySet<WideClass | undefined>,
): readonly WideJob[] {
  const cluster = clusterOf(pk);
  const row = item && toRow(item);
  if (cluster === undefined || item === undefined || row === undefined) return [];
  const wideClass = wideClassOf(textOf(item, "widePk")) ?? "O";
  // A record is never changed: the Job may have moved to the index.
  const isHere = classes.has(wideClass) && row.createdAt === decodeCreated(created).createdAt;
  if (isRecorded === true && !isHere) return [];
  return [{ cluster, jobUid: uidOf(pk), ...row, wideClass }];
}

/**
 * The names of Jobs in these partitions, up to `limit` in all: one request for each partition, and one for the names of
 * up to 100 Jobs.
 */
export async function readNames(
  table: DynamoTable,
  list: JobList,
  { limit, retry }: { readonly limit: number; readonly retry: Retry },
): Promise<readonly string[]> {
  const share = Math.ceil(Math.min(limit, MAX_NAMES) / list.partitions.length);
  const pages = await Promise.all(
    list.partitions.map((partition) =>
      queryPage(table, { ...JOB_INDEXES[list.index], index: list.index, partition }, share),
    ),
  );
  const keys = stateKeysOf(pages.flatMap(({ items }) => items.map((item) => ({ pk: textOf(item, "pk") }))));
  const items = await batchGet(table, keys, { attributes: ROW_ATTRIBUTES, retry });
  return items.flatMap((item) => toRow(item)?.name ?? []);
}

/** The most names to read: as many as one BatchGetItem returns. */
const MAX_NAMES = 100;

/** The states of these entries. A Job that moves to another partition may be in both for a moment. */
function stateKeysOf(entries: readonly Pick<Entry, "pk">[]): readonly ItemKey[] {
  return [...new Set(entries.map(({ pk }) => pk))].map((pk) => ({ pk, sk: "S" }));
}

/** The page size for entries if records are read too, which have nearly all Jobs of the page: several in each. */
const LESS_BUSY_PAGE = 10;

function widePageSize(partition: string, partitions: readonly string[], limit: number): number {
  const records = partitions.filter(isRecordPartition);
  if (records.length === 0) return shareOf(limit, partitions.length);
  return records.includes(partition) ? shareOf(limit, 2 * records.length) : Math.min(limit + 1, LESS_BUSY_PAGE);
}

function rowAt(pk: string, item: Item | undefined, withStates: boolean): JobPage["rows"] {
  const row = item && toRow(item);
  if (item === undefined || row === undefined) return [];
  return [{ jobUid: uidOf(pk), ...row, ...(withStates && { stored: toState(item) }) }];
}

function clusterOf(pk: string): ClusterName | undefined {
  return decodeClusterName(pk.slice(0, pk.indexOf("#")));
}

function uidOf(pk: string): JobUid {
  return jobOfPartition(pk) as JobUid;
}
