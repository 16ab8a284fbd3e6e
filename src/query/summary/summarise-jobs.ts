import type { ClusterName } from "../../job/model/ids.ts";
import type { CountedJobs, CountQuery } from "../../ports/jobs.ts";
import { clusterNames, namespacesOf } from "../clusters/clusters.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { QueryPorts } from "../ports.ts";
import { mayRead, type Scope } from "../access/scope.ts";
import { keyOfGroup, type SummaryGrouping } from "./summary-group.ts";
import { type SummaryAnswer, SummaryTallies } from "./summary.ts";
import { summaryOfSums, type SumsQuery as CountedQuery } from "./summary-of-sums.ts";
import { tallyRows } from "./row-tally.ts";

export interface SummaryQuery {
  readonly filter: JobFilter;
  readonly by?: SummaryGrouping | undefined;
  /** The most Jobs to read, newest first. @default 50,000 */
  readonly bound?: number;
  /** Whether to read start delays, for the newest 5,000 Jobs at most. @default false */
  readonly startDelays?: boolean | undefined;
}

/** Counts the Jobs that match the filter: from stored counts if possible, otherwise from their list rows. */
export async function summariseJobs(
  ports: QueryPorts,
  scope: Scope,
  { filter, by, bound, startDelays }: SummaryQuery,
): Promise<SummaryAnswer> {
  const counted = startDelays === true ? undefined : await countedSummary(ports, scope, { filter, by });
  if (counted !== undefined) return counted;
  const into = new SummaryTallies();
  const rows = { filter, by, into, startDelays, ...(bound !== undefined && { bound }) };
  const completeness = await tallyRows(ports, scope, rows);
  return { ...into.answer(by !== undefined), ...completeness };
}

/**
 * The summary from stored counts: in an index of the store, or in sums of hours and days. It covers any number of Jobs.
 * Durations are the middles of their buckets. `undefined` if there are no counts, or none for this filter.
 */
async function countedSummary(
  ports: QueryPorts,
  scope: Scope,
  query: CountedQuery,
): Promise<SummaryAnswer | undefined> {
  if (!isCountable(query.filter)) return undefined;
  return ports.jobs.count === undefined ? summaryOfSums(ports, scope, query) : indexedSummary(ports, scope, query);
}

async function indexedSummary(
  { jobs, meta }: QueryPorts,
  scope: Scope,
  { filter, by }: CountedQuery,
): Promise<SummaryAnswer | undefined> {
  if (jobs.count === undefined) return undefined;
  const { createdAfter, createdBefore } = filter;
  const tallies = new SummaryTallies();
  for (const { cluster, namespace } of await partitionsOf(meta, scope, filter)) {
    const query: CountQuery = { cluster, namespace, createdAfter, createdBefore, by: orderOf(by) };
    const counted = await jobs.count(query);
    if (counted === undefined) return undefined;
    for (const cell of counted) {
      if (!isWanted(filter, cell)) continue;
      const key = by && keyOfGroup(by, { cluster, namespace, group: cell.group });
      for (const tally of tallies.of(key)) tally.addCounted(cell);
    }
  }
  return { ...tallies.answer(by !== undefined), complete: true };
}

/** Counts have no names, labels, fields, owners or other times. */
function isCountable({
  cluster: _c,
  namespace: _n,
  states: _s,
  createdAfter: _a,
  createdBefore: _b,
  ...rest
}: JobFilter) {
  return Object.values(rest).every((wanted) => wanted === undefined);
}

function isWanted({ states }: JobFilter, { state }: CountedJobs): boolean {
  return states?.includes(state) ?? true;
}

interface Partition {
  readonly cluster: ClusterName;
  readonly namespace: string;
}

async function partitionsOf(meta: QueryPorts["meta"], scope: Scope, filter: JobFilter): Promise<readonly Partition[]> {
  const clusters = await clusterNames(meta, scope, filter.cluster);
  const partitions = await Promise.all(
    clusters.map(async (cluster) => {
      const namespaces = filter.namespace === undefined ? await namespacesOf(meta, scope, cluster) : [filter.namespace];
      return namespaces.map((namespace) => ({ cluster, namespace }));
    }),
  );
  return partitions.flat().filter(({ cluster, namespace }) => mayRead(scope, cluster, namespace));
}

function orderOf(by: SummaryGrouping | undefined): CountQuery["by"] {
  switch (by) {
    case "hour":
    case "day":
      return "hour";
    case "owner":
      return "owner";
    case "cluster":
    case "namespace":
    case undefined:
      return "all";
  }
}
