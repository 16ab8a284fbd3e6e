import type { JobAnswer, Verdict } from "../job/answer.ts";
import type { ClusterName } from "../job/ids.ts";
import { decodeClusterName, decodeJobUid } from "../job/ids.ts";
import { type Instant, parseInstant } from "../job/instant.ts";
import type { JobStore } from "../ports/jobs.ts";
import { clusterNames, namespacesOf } from "./clusters.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { type FieldSelector, matchesFields } from "./field-selector.ts";
import { type LabelSelector, matchesLabels } from "./label-selector.ts";
import { type MergedPosition, mergeRows, type PlacedRow, type RowSource } from "./merged-rows.ts";
import type { QueryPorts } from "./ports.ts";
import { mayRead, type Scope } from "./scope.ts";
import { readSummary } from "./summary-row.ts";

export type State = Verdict["state"];

/** Which Jobs to list. Fields that are absent ask for nothing. */
export interface JobFilter {
  readonly cluster?: ClusterName | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly states?: readonly State[] | undefined;
  readonly labels?: LabelSelector | undefined;
  readonly fields?: FieldSelector | undefined;
  /** `Kind/name` or `name` of the owner, or its uid. */
  readonly owner?: string | undefined;
  /** Later than, and not at. */
  readonly createdAfter?: Instant | undefined;
  readonly createdBefore?: Instant | undefined;
  readonly finishedAfter?: Instant | undefined;
  readonly finishedBefore?: Instant | undefined;
  /** Only Jobs that need a person. */
  readonly attention?: boolean | undefined;
}

export interface JobListQuery {
  readonly filter: JobFilter;
  /** 1 to {@link MAX_LIST_LIMIT}. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export type JobList =
  | { readonly outcome: "listed"; readonly items: readonly JobAnswer[]; readonly nextCursor?: string }
  | { readonly outcome: "badCursor"; readonly problem: string };

export const MAX_LIST_LIMIT = 500;
/** A page that filters looks at this many rows and then answers what it found, with a cursor to go on from: no question runs without end. */
export const MAX_ROWS_READ = 1_000;

/** One page of the Jobs that meet the filter, newest creation first. A page may hold fewer than `limit` and still have a `nextCursor`. */
export async function listJobs(ports: QueryPorts, scope: Scope, query: JobListQuery): Promise<JobList> {
  const start = startOf(query);
  if (start.outcome === "refused") return { outcome: "badCursor", problem: start.problem };
  const rows = readRows(ports, scope, query.filter, { after: start.position, pageSize: query.limit + 1 });
  const items: JobAnswer[] = [];
  let read = 0;
  let last: PlacedRow | undefined;
  for await (const row of rows) {
    if (last !== undefined && (items.length === query.limit || read === MAX_ROWS_READ)) {
      return { outcome: "listed", items, nextCursor: cursorAt(query.filter, last) };
    }
    read += 1;
    last = row;
    const job = readSummary(row);
    if (matches(query.filter, job)) items.push(job);
  }
  return { outcome: "listed", items };
}

/** All Jobs that meet the filter and that the reader may see, one after the other; who asks sets the end. */
export async function* readRows(
  ports: QueryPorts,
  scope: Scope,
  filter: JobFilter,
  from: { readonly after?: MergedPosition | undefined; readonly pageSize: number },
): AsyncGenerator<PlacedRow> {
  const sources = await sourcesFor(ports, scope, filter);
  const after = from.after ?? upperEnd(filter);
  for await (const row of mergeRows(sources, { after, pageSize: from.pageSize })) {
    if (filter.createdAfter !== undefined && row.createdAt <= filter.createdAfter) return;
    if (mayRead(scope, row.cluster, row.namespace)) yield row;
  }
}

/** Whether a Job meets every filter that its row answers. */
export function matches(filter: JobFilter, job: JobAnswer): boolean {
  return (
    isNamed(filter, job) &&
    (filter.states?.includes(job.verdict.state) ?? true) &&
    matchesLabels(filter.labels ?? [], job.labels) &&
    matchesFields(filter.fields ?? [], job) &&
    isOwnedBy(job, filter.owner) &&
    isWithin(job.createdAt, filter.createdAfter, filter.createdBefore) &&
    isWithin(job.finishedAt, filter.finishedAfter, filter.finishedBefore)
  );
}

function isNamed({ cluster, namespace, name }: JobFilter, job: JobAnswer): boolean {
  return (
    job.cluster === (cluster ?? job.cluster) &&
    job.namespace === (namespace ?? job.namespace) &&
    job.name === (name ?? job.name)
  );
}

function isOwnedBy({ owner }: JobAnswer, wanted: string | undefined): boolean {
  if (wanted === undefined || owner === undefined) return wanted === undefined;
  return [owner.name, owner.uid, `${owner.kind}/${owner.name}`.toLowerCase()].some(
    (known) => known === wanted || known === wanted.toLowerCase(),
  );
}

function isWithin(text: string | undefined, after: Instant | undefined, before: Instant | undefined): boolean {
  if (after === undefined && before === undefined) return true;
  const instant = parseInstant(text);
  return (
    instant !== undefined && (after === undefined || instant > after) && (before === undefined || instant < before)
  );
}

/** The partitions that can hold what is asked for: one name, what needs attention, or namespaces in both their halves. */
async function sourcesFor({ jobs, meta }: QueryPorts, scope: Scope, filter: JobFilter): Promise<readonly RowSource[]> {
  const clusters = filter.cluster === undefined ? await clusterNames(meta, scope) : [filter.cluster];
  if (filter.attention === true) return clusters.map((cluster) => attentionSource(jobs, cluster));
  const sources = await Promise.all(
    clusters.map(async (cluster) => {
      const namespaces = filter.namespace === undefined ? await namespacesOf(meta, scope, cluster) : [filter.namespace];
      return namespaces
        .filter((namespace) => mayRead(scope, cluster, namespace))
        .flatMap((namespace) => namespaceSources(jobs, cluster, namespace, filter.name));
    }),
  );
  return sources.flat();
}

function attentionSource(jobs: JobStore, cluster: ClusterName): RowSource {
  return { cluster, read: (options) => jobs.listAttention({ cluster }, options) };
}

function namespaceSources(
  jobs: JobStore,
  cluster: ClusterName,
  namespace: string,
  name: string | undefined,
): readonly RowSource[] {
  if (name !== undefined) {
    return [{ cluster, read: (options) => jobs.listByName({ cluster, namespace, name }, options) }];
  }
  return (["A", "F"] as const).map((phase) => ({
    cluster,
    read: (options) => jobs.list({ cluster, namespace, phase }, options),
  }));
}

/** Where a list bounded by `createdBefore` begins: behind everything of that instant. */
function upperEnd({ createdBefore }: JobFilter): MergedPosition | undefined {
  const jobUid = decodeJobUid("~");
  return createdBefore === undefined || jobUid === undefined
    ? undefined
    : { createdAt: createdBefore, cluster: "~", jobUid };
}

type Start =
  | { readonly outcome: "decoded"; readonly position: MergedPosition | undefined }
  | { readonly outcome: "refused"; readonly problem: string };

function startOf({ filter, cursor }: JobListQuery): Start {
  if (cursor === undefined) return { outcome: "decoded", position: undefined };
  return decodeCursor(filter, cursor, ([createdAt, clusterText, uidText]) => {
    const cluster = decodeClusterName(clusterText);
    const jobUid = decodeJobUid(uidText);
    return typeof createdAt === "number" &&
      Number.isSafeInteger(createdAt) &&
      cluster !== undefined &&
      jobUid !== undefined
      ? { createdAt, cluster, jobUid }
      : undefined;
  });
}

function cursorAt(filter: JobFilter, { createdAt, cluster, jobUid }: MergedPosition): string {
  return encodeCursor(filter, [createdAt, cluster, jobUid]);
}
