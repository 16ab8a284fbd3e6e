import type { JobAnswer } from "../../explain/answer-document.ts";
import type { JobFilter } from "../../query/list/job-filter.ts";
import { listJobs } from "../../query/list/list-jobs.ts";
import type { KubeContext } from "./kube-context.ts";
import type { RowsPage } from "./kube-pages.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";

/** Jobs as the Kubernetes API lists them. A name is one object there, so a request by name returns the newest Job. */
export async function listKubeJobs(
  { ports, scope, cluster, now }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<JobAnswer>> {
  const filter = jobFilter(cluster, path, options);
  const { limit, continueToken: cursor } = options;
  const page = await listJobs(ports, scope, { filter, limit, cursor, now });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  if (filter.name !== undefined && filter.namespace !== undefined) {
    return { outcome: "listed", rows: page.items.slice(0, 1) };
  }
  return { outcome: "listed", rows: page.items, ...(page.nextCursor && { continueToken: page.nextCursor }) };
}

export function jobFilter(
  cluster: KubeContext["cluster"],
  { namespace, name }: KubePath,
  { labels, fields, pairs }: Pick<KubeListOptions, "labels" | "fields" | "pairs">,
): JobFilter {
  return {
    cluster,
    namespace: namespace ?? pairs.get("metadata.namespace"),
    name: name ?? pairs.get("metadata.name"),
    labels,
    fields,
  };
}
