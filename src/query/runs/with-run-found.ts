import pLimit from "p-limit";
import type { Scope } from "../access/scope.ts";
import { clusterNames } from "../clusters/clusters.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { RunPorts } from "../ports.ts";
import { findRunByName } from "./find-run.ts";

/** Clusters that are read at the same time. */
const AT_ONCE = 16;

/**
 * The filter with the newest run of `Kind/name` in its namespace, of each cluster, as an answer about that run chooses
 * it. Unchanged if none is stored, or the filter has no namespace. One request for each cluster.
 */
export async function withRunFound(ports: RunPorts, scope: Scope, filter: JobFilter): Promise<JobFilter> {
  const { cluster, namespace, run = "" } = filter;
  const at = run.indexOf("/");
  if (namespace === undefined || at < 1) return filter;
  const named = { namespace, kind: run.slice(0, at), name: run.slice(at + 1) };
  const clusters = cluster === undefined ? await clusterNames(ports.meta, scope) : [cluster];
  const found = await pLimit(AT_ONCE).map(clusters, async (of) => {
    const one = await findRunByName(ports, { scope, wanted: { ...named, cluster: of } });
    return one === undefined ? [] : [{ cluster: of, uid: one.record.uid, jobs: new Set(one.record.jobs.keys()) }];
  });
  const runsFound = found.flat();
  return runsFound.length === 0 ? filter : { ...filter, runsFound };
}
