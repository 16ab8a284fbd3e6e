import { clusterNames, namespacesOf } from "../query/clusters/clusters.ts";
import { type CronJobAnswer, listCronJobs } from "../query/cron-jobs/cron-jobs.ts";
import { matchesLabels } from "../query/list/label-selector.ts";
import { listJobs } from "../query/list/list-jobs.ts";
import { nearestNames } from "../text/nearest-names.ts";
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
import { type Listing, listingOf } from "./listing.ts";
import { podObject } from "./pod-object.ts";
import {
  type Column,
  CRON_JOB_COLUMNS,
  EVENT_COLUMNS,
  JOB_COLUMNS,
  NAMESPACE_COLUMNS,
  POD_COLUMNS,
  type PodRow,
} from "./table.ts";

export type KubeAnswer =
  | { readonly outcome: "listed"; readonly listing: Listing }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

/** A list, or the one object of a name as a list of one. */
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
  const page = await pagesOf(context, options, (asked) => listKubeJobs(context, path, asked));
  return page.outcome === "listed" ? shown(page, JOB_COLUMNS, jobObject) : refused("Expired", page.message);
}

async function pods(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const { namespace } = path;
  const name = path.name ?? options.pairs.get("metadata.name");
  if (name !== undefined && namespace !== undefined) {
    const found = await findKubePod(context, namespace, name);
    const isFound = found !== undefined && isWanted(found.job, found.attempt, options);
    return shown({ rows: isFound ? [found] : [] }, POD_COLUMNS, showPod);
  }
  const page = await pagesOf(context, options, (asked) => listKubePods(context, path, asked));
  return page.outcome === "listed" ? shown(page, POD_COLUMNS, showPod) : refused("Expired", page.message);
}

/** A Pod with the Job it is of. */
export function showPod({ job, attempt }: PodRow): KubeObject {
  return podObject(job, attempt);
}

async function cronJobs(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const page = await pagesOf(context, options, (asked) => listKubeCronJobs(context, path, asked));
  return page.outcome === "listed" ? shown(page, CRON_JOB_COLUMNS, cronJobObject) : refused("Expired", page.message);
}

async function listKubeCronJobs(
  { ports, scope, cluster }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<CronJobAnswer>> {
  const { limit, continueToken: cursor } = options;
  const page = await listCronJobs(ports.meta, scope, { cluster, namespace: path.namespace, limit, cursor });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  const rows = page.items.filter((cronJob) => isSelected(cronJobObject(cronJob), path, options));
  return { outcome: "listed", rows, continueToken: page.nextCursor };
}

async function events(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const found = await listKubeEvents(context, path, options.pairs);
  if (found.outcome === "tooMany") return refused("BadRequest", NARROW_EVENTS);
  const asked = { ...options, others: withoutInvolved(options.others) };
  const rows = found.events.filter((event) => isSelected(event, path, asked));
  return shown({ rows }, EVENT_COLUMNS, (event) => event);
}

const NARROW_EVENTS =
  "Events are made of one object's facts: say whose with --for job/NAME (kubectl events) or fieldSelector involvedObject.kind and involvedObject.name.";

async function namespaces(context: KubeContext, path: KubePath, options: KubeListOptions): Promise<KubeAnswer> {
  const all = await namespacesOf(context.ports.meta, context.scope, context.cluster);
  const rows = all.filter((namespace) => isSelected(namespaceObject(namespace), path, options));
  return shown({ rows }, NAMESPACE_COLUMNS, namespaceObject);
}

function namespaceObject(name: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    // The label that kube-apiserver gives every namespace (KEP-2161).
    metadata: { name, creationTimestamp: null, labels: { "kubernetes.io/metadata.name": name } },
    status: { phase: "Active" },
  };
}

/** Whether an object is the one, or among those, that are asked for. */
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
  columns: readonly Column<Row>[],
  show: (row: Row) => KubeObject,
): KubeAnswer {
  return { outcome: "listed", listing: listingOf(rows, columns, show, continueToken) };
}

function refused(reason: KubeReason, message: string): KubeAnswer {
  return { outcome: "refused", status: kubeStatus(reason, message) };
}

/** In kube-apiserver's words, and what may have been meant. */
async function notFound(context: KubeContext, { resource, namespace }: KubePath, name: string): Promise<string> {
  const what = resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
  const near = await nearNames(context, resource.plural, namespace, name);
  return `${what} "${name}" not found${near.length === 0 ? "" : `: did you mean ${near.join(", ")}?`}`;
}

async function nearNames(
  { ports, scope, cluster }: KubeContext,
  plural: KubePath["resource"]["plural"],
  namespace: string | undefined,
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

/** The cluster whose API is asked for: the one that is named, or the only one the reader may see. */
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
        `No cluster "${named}" is known${known.length > 0 ? `: ${known.join(", ")} are` : ""}.`,
      ),
    };
  }
  const which =
    known.length === 0
      ? "No cluster is known yet."
      : `Several clusters are known: ask below /clusters/NAME (${known.join(", ")}), which "outlive kubeconfig --cluster NAME" writes down.`;
  return { status: kubeStatus("NotFound", which) };
}
