import { nearestNames } from "../../job/text/nearest-names.ts";
import { clusterNames, namespacesOf } from "../../query/clusters/clusters.ts";
import { listJobs } from "../../query/list/list-jobs.ts";
import type { KubeContext } from "./kube-context.ts";
import { CRON_JOB_FORMAT, listKubeCronJobs } from "./kube-cron-jobs.ts";
import { EVENT_FORMAT, listKubeEvents } from "./kube-events.ts";
import { isSelected, withoutInvolved } from "./kube-fields.ts";
import { JOB_FORMAT, listKubeJobs } from "./kube-jobs.ts";
import { listKubeNamespaces, NAMESPACE_FORMAT } from "./kube-namespaces.ts";
import { POD_FORMAT } from "./kube-pods.ts";
import { listKubeRuns, runFormat } from "./kube-runs.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { type KubeReason, type KubeStatus, kubeStatus } from "./kube-status.ts";
import { findKubePod, isWanted, listKubePods } from "./list-kube-pods.ts";
import { type Listing, listingOf, type RowFormat, type RowsPage } from "./listing.ts";

export type KubeAnswer =
  | { readonly outcome: "listed"; readonly listing: Listing }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

/** A list; for a request by name, a list of one object. */
export async function answerKubernetes(
  context: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<KubeAnswer> {
  const answer = await listOf(context, path, options);
  if (answer.outcome === "refused" || path.name === undefined || answer.listing.objects.length > 0) return answer;
  return refused("NotFound", await notFound(context, path, path.name));
}

async function listOf(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  switch (path.resource.plural) {
    case "jobs":
      return paged(context, options, { format: JOB_FORMAT, read: (page) => listKubeJobs(context, path, page) });
    case "pods":
      return pods(context, path, options);
    case "cronjobs":
      return paged(context, options, {
        format: CRON_JOB_FORMAT,
        read: (page) => listKubeCronJobs(context, path, page),
      });
    case "events":
      return events(context, path, options);
    case "namespaces":
      return shown({ rows: await listKubeNamespaces(context, path, options) }, NAMESPACE_FORMAT);
    case "jobsets":
    case "trainjobs":
    case "rayjobs":
    case "workflows":
      return paged(context, options, {
        format: runFormat(path.resource),
        read: (page) => listKubeRuns(context, path, page),
      });
  }
}

interface Paged<Row> {
  readonly format: RowFormat<Row>;
  readonly read: (options: KubeListOptions) => Promise<RowsPage<Row>>;
}

/**
 * One page if the client sets a limit. Otherwise all objects, up to the maximum of one answer: a client without a limit
 * ignores continue tokens and would take the first page for everything (KEP-365).
 */
async function paged<Row>(
  { most }: KubeContext,
  options: KubeListOptions,
  { format, read }: Paged<Row>,
): Promise<KubeAnswer> {
  const rows: Row[] = [];
  let { continueToken } = options;
  do {
    const page = await read({ ...options, continueToken });
    if (page.outcome === "badToken") return refused("Expired", page.message);
    rows.push(...page.rows);
    ({ continueToken } = page);
  } while (options.whole && continueToken !== undefined && rows.length < most);
  return shown({ rows, continueToken }, format);
}

async function pods(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const { namespace } = path;
  const name = path.name ?? options.pairs.get("metadata.name");
  if (name === undefined || namespace === undefined) {
    return paged(context, options, { format: POD_FORMAT, read: (page) => listKubePods(context, path, page) });
  }
  const found = await findKubePod(context, namespace, name);
  const isFound = found !== undefined && isWanted(found.job, found.attempt, options);
  return shown({ rows: isFound ? [found] : [] }, POD_FORMAT);
}

async function events(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const found = await listKubeEvents(context, path, options.pairs);
  if (found.outcome === "tooMany") return refused("BadRequest", NARROW_EVENTS);
  const selected = { ...options, others: withoutInvolved(options.others) };
  const rows = found.events.filter((event) => isSelected(event, path, selected));
  return shown({ rows }, EVENT_FORMAT);
}

const NARROW_EVENTS =
  "Events can only be listed for one object. Use --for job/NAME (kubectl " +
  "events), or a fieldSelector with involvedObject.kind and involvedObject.name.";

function shown<Row>(
  { rows, continueToken }: { readonly rows: readonly Row[]; readonly continueToken?: string | undefined },
  format: RowFormat<Row>,
): KubeAnswer {
  return { outcome: "listed", listing: listingOf(rows, format, continueToken) };
}

function refused(reason: KubeReason, message: string): KubeAnswer {
  return { outcome: "refused", status: kubeStatus(reason, message) };
}

/** The message of kube-apiserver, with similar names. */
async function notFound(context: KubeContext, path: KubePath, name: string): Promise<string> {
  const { resource } = path;
  const what = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  const near = await nearNames(context, path, name);
  return `${what} "${name}" not found${near.length === 0 ? "" : `: did you mean ${near.join(", ")}?`}`;
}

async function nearNames(
  { ports, scope, cluster }: KubeContext,
  { resource: { plural }, namespace }: KubePath,
  name: string,
): Promise<readonly string[]> {
  if (plural === "namespaces") return nearestNames(name, await namespacesOf(ports.meta, scope, cluster));
  if (plural !== "jobs" || namespace === undefined) return [];
  const page = await listJobs(ports, scope, { filter: { cluster, namespace }, limit: 500 });
  return page.outcome === "listed"
    ? nearestNames(
        name,
        page.items.map((job) => job.name),
      )
    : [];
}

/** The cluster in the URL, or the only one that the reader has access to. */
export async function chooseKubeCluster(
  { ports, scope }: Pick<KubeContext, "ports" | "scope">,
  named: string | undefined,
): Promise<{ readonly cluster: KubeContext["cluster"] } | { readonly status: KubeStatus }> {
  const known = await clusterNames(ports.meta, scope);
  const cluster = named === undefined && known.length === 1 ? known[0] : known.find((name) => name === named);
  if (cluster !== undefined) return { cluster };
  if (named !== undefined) {
    return {
      status: kubeStatus(
        "NotFound",
        `Cluster "${named}" not found.${known.length > 0 ? ` Known clusters: ${known.join(", ")}.` : ""}`,
      ),
    };
  }
  const which =
    known.length === 0
      ? "No cluster has sent data yet."
      : `There are several clusters (${known.join(", ")}). Use the path /clusters/NAME, ` +
        `or create a kubeconfig with "outlive kubeconfig --cluster NAME".`;
  return { status: kubeStatus("NotFound", which) };
}
