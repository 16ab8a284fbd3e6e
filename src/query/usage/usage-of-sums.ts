import pLimit from "p-limit";
import { dayBegin, formatInstant, utcDay } from "../../job/model/instant.ts";
import { ALL_NAMESPACES, type UsageCell } from "../../ports/sums/job-sums.ts";
import { mayRead, mayReadAll, type Scope } from "../access/scope.ts";
import { clusterNames } from "../clusters/clusters.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { QueryPorts } from "../ports.ts";
import type { UsageGrouping } from "./usage-group.ts";
import { type UsageQuery, type UsageReport, UsageTallies } from "./usage-report.ts";

/** Clusters that are read at the same time. */
const CLUSTERS_AT_ONCE = 16;

/** What is stored by cluster, namespace and day. */
type StoredGrouping = Extract<UsageGrouping, "cluster" | "namespace" | "day">;

/**
 * The report from the sums of days (src/count/usage): one request for each cluster, for any number of Jobs. `undefined`
 * if Jobs must be read instead: without sums, for other groups and filters than sums have, and for single namespaces of
 * a cluster that has too many of them.
 */
export async function usageOfSums(
  { sums, meta }: QueryPorts,
  scope: Scope,
  { filter, by, sort, since, until }: UsageQuery,
): Promise<UsageReport | undefined> {
  if (!isStored(by) || !isCountable(filter)) return undefined;
  const counted = await sums?.counted();
  if (sums === undefined || counted === undefined) return undefined;
  const into = new UsageTallies();
  const clusters = await clusterNames(meta, scope, filter.cluster);
  const days = { from: utcDay(since), to: utcDay(until) };
  const coarse = await pLimit(CLUSTERS_AT_ONCE).map(clusters, async (cluster) => {
    let isCoarse = false;
    const isAll = mayReadAll(scope, cluster) && filter.namespace === undefined;
    for await (const cell of sums.usage(cluster, days)) {
      const { namespace } = cell;
      isCoarse ||= !isAll && namespace === ALL_NAMESPACES;
      const isWanted = isAll || (mayRead(scope, cluster, namespace) && (filter.namespace ?? namespace) === namespace);
      if (isWanted) into.add(by && keyOf(by, cluster, cell), cell.usage);
    }
    return isCoarse;
  });
  if (coarse.includes(true)) return undefined;
  const { countedTo } = counted;
  return {
    since: formatInstant(since),
    until: formatInstant(until),
    ...into.answer({ by, sort }),
    ...(countedTo !== undefined && { asOf: { time: formatInstant(countedTo) } }),
    complete: true,
  };
}

function isStored(by: UsageGrouping | undefined): by is StoredGrouping | undefined {
  return by === undefined || by === "cluster" || by === "namespace" || by === "day";
}

function isCountable({ cluster: _c, namespace: _n, ...rest }: JobFilter): boolean {
  return Object.values(rest).every((wanted) => wanted === undefined);
}

function keyOf(by: StoredGrouping, cluster: string, { namespace, day }: UsageCell): string {
  switch (by) {
    case "cluster":
      return cluster;
    case "namespace":
      return namespace;
    case "day":
      return formatInstant(dayBegin(day) ?? 0);
  }
}
