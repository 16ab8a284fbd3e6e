import { clusterNames, namespacesOf } from "../../query/clusters/clusters.ts";
import type { CronJobAnswer } from "../../query/cron-jobs/cron-jobs.ts";
import { listCronJobs } from "../../query/cron-jobs/list-cron-jobs.ts";
import { matchesLabels } from "../../query/list/label-selector.ts";
import { listJobs } from "../../query/list/list-jobs.ts";
import { nearestNames } from "../../job/text/nearest-names.ts";
import { cronJobObject } from "./cron-job-object.ts";
import { jobObject } from "./job-object.ts";
import type { KubeContext } from "./kube-context.ts";
import { matchesKubeFields, withoutInvolved } from "./kube-fields.ts";
import type { KubeObject } from "./kube-object.ts";
import { pagesOf, type RowsPage } from "./kube-pages.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { type KubeReason, type KubeStatus, kubeStatus } from "./kube-status.ts";
import { listKubeEvents } from "./list-events-as-kube.ts";
import { listKubeJobs } from "./list-jobs-as-kube.ts";
import { findKubePod, isWanted, listKubePods } from "./list-pods-as-kube.ts";
import { type Listing, listingOf, type RowFormat } from "./listing.ts";
import { podObject } from "./pod-object.ts";
import { CRON_JOB_COLUMNS, EVENT_COLUMNS, JOB_COLUMNS, NAMESPACE_COLUMNS, POD_COLUMNS, type PodRow } from "./table.ts";

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

function listOf(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  switch (path.resource.plural) {
    case "jobs":
      return jobs(context, path, options);
    case "pods":
      return pods(context, path, options);
    case "cronjobs":
      return cronJobs(context, path, options);
    case "events":
      return events(context, path, options);
    case "namespaces":
      return namespaces(context, path, options);
  }
}

async function jobs(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const page = await pagesOf(context, options, (page) => listKubeJobs(context, path, page));
  return page.outcome === "listed"
    ? shown(page, { columns: JOB_COLUMNS, show: jobObject })
    : refused("Expired", page.message);
}

async function pods(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const { namespace } = path;
  const name = path.name ?? options.pairs.get("metadata.name");
  if (name !== undefined && namespace !== undefined) {
    const found = await findKubePod(context, namespace, name);
    const isFound = found !== undefined && isWanted(found.job, found.attempt, options);
    return shown({ rows: isFound ? [found] : [] }, { columns: POD_COLUMNS, show: showPod });
  }
  const page = await pagesOf(context, options, (page) => listKubePods(context, path, page));
  return page.outcome === "listed"
    ? shown(page, { columns: POD_COLUMNS, show: showPod })
    : refused("Expired", page.message);
}

/** A Pod with its Job. */
export function showPod({ job, attempt }: PodRow): KubeObject {
  return podObject(job, attempt);
}

async function cronJobs(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const page = await pagesOf(context, options, (page) => listKubeCronJobs(context, path, page));
  return page.outcome === "listed"
    ? shown(page, { columns: CRON_JOB_COLUMNS, show: cronJobObject })
    : refused("Expired", page.message);
}

async function listKubeCronJobs(
  { ports, scope, cluster }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<CronJobAnswer>> {
  const { limit, continueToken: cursor } = options;
  const page = await listCronJobs(ports, scope, { cluster, namespace: path.namespace, limit, cursor });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  const rows = page.items.filter((cronJob) => isSelected(cronJobObject(cronJob), path, options));
  return { outcome: "listed", rows, continueToken: page.nextCursor };
}

async function events(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const found = await listKubeEvents(context, path, options.pairs);
  if (found.outcome === "tooMany") return refused("BadRequest", NARROW_EVENTS);
  const selected = { ...options, others: withoutInvolved(options.others) };
  const rows = found.events.filter((event) => isSelected(event, path, selected));
  return shown({ rows }, { columns: EVENT_COLUMNS, show: (event) => event });
}

const NARROW_EVENTS =
  "Events can only be listed for one object. Use --for job/NAME (kubectl " +
  "events), or a fieldSelector with involvedObject.kind and involvedObject.name.";

async function namespaces(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const all = await namespacesOf(context.ports.meta, context.scope, context.cluster);
  const rows = all.filter((namespace) => isSelected(namespaceObject(namespace), path, options));
  return shown({ rows }, { columns: NAMESPACE_COLUMNS, show: namespaceObject });
}

function namespaceObject(name: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    // kube-apiserver adds this label to every namespace (KEP-2161).
    metadata: { name, creationTimestamp: null, labels: { "kubernetes.io/metadata.name": name } },
    status: { phase: "Active" },
  };
}

/** Whether an object matches the path and the selectors. */
function isSelected(object: KubeObject, { name }: KubePath, { labels, others }: KubeListOptions): boolean {
  const { metadata } = object;
  return (
    (name === undefined || metadata.name === name) &&
    matchesLabels(labels, metadata.labels ?? {}) &&
    matchesKubeFields(others, object)
  );
}

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
