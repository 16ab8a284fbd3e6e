import { SETTLED_AFTER_MS } from "../../segment/late.ts";
import { logBegin } from "../../query/log-begin.ts";
import { type LogPosition, positionAt } from "../../query/log-position.ts";
import type { ClusterName } from "../../job/ids.ts";
import type { Instant } from "../../job/instant.ts";
import { answerKubernetes, showPod } from "./answer-kubernetes.ts";
import { jobObject } from "./job-object.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { type KubeStatus, kubeStatus } from "./kube-status.ts";
import { jobFilter } from "./list-jobs-as-kube.ts";
import { isWanted } from "./list-pods-as-kube.ts";
import { type Listing, listingOf } from "./listing.ts";
import { JOB_COLUMNS, POD_COLUMNS } from "./table.ts";
import { watchJobs, type WatchNews, watchPods, type WatchRange } from "./watch-jobs.ts";

/** One event, not yet shown as an object or a table. */
export interface KubeWatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly listing: Listing;
}

export interface KubeWatchTarget {
  readonly path: KubePath;
  readonly options: KubeListOptions;
}

/** A `resourceVersion` here is an instant, in milliseconds: the log is in the order of time, and clients may compare the numbers (KEP-5504). */
export function resourceVersionOf(now: Instant): string {
  return String(now);
}

export type WatchStart =
  | { readonly outcome: "starts"; readonly positions: Map<ClusterName, LogPosition>; readonly withExisting: boolean }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

/** Where a watch begins. Without a version, or with "0", with what there is. */
export async function startOfWatch(context: KubeContext, options: KubeListOptions): Promise<WatchStart> {
  const { cluster, now, ports } = context;
  const { resourceVersion = "0", initialEvents } = options;
  if (!/^\d{1,16}$/.test(resourceVersion)) {
    return {
      outcome: "refused",
      status: kubeStatus("BadRequest", `resourceVersion "${resourceVersion}" is not one that was given out here.`),
    };
  }
  const version = Number(resourceVersion);
  const begin = await logBegin(ports.meta, cluster);
  if (version > 0 && begin !== undefined && version < begin) {
    return {
      outcome: "refused",
      status: kubeStatus("Expired", `too old resource version: ${resourceVersion} (${begin})`),
    };
  }
  // What is sealed now arrives in a moment. What is told twice is a modification that changes nothing.
  const at = (version > 0 ? version : now) - SETTLED_AFTER_MS;
  return {
    outcome: "starts",
    positions: new Map([[cluster, positionAt(at)]]),
    withExisting: version === 0 || initialEvents,
  };
}

/** All there is now, as events. */
export async function* existing(
  context: KubeContext,
  { path, options }: KubeWatchTarget,
): AsyncGenerator<KubeWatchEvent> {
  let continueToken: string | undefined;
  do {
    const answer = await answerKubernetes(context, path, { ...options, continueToken });
    if (answer.outcome === "refused") return;
    for (const object of answer.listing.objects.keys()) yield { type: "ADDED", listing: answer.listing.only(object) };
    ({ continueToken } = answer.listing);
  } while (continueToken !== undefined);
}

/** What changed since the positions, which are moved on. */
export async function* news(
  context: KubeContext,
  positions: Map<ClusterName, LogPosition>,
  { path, options }: KubeWatchTarget,
): AsyncGenerator<KubeWatchEvent> {
  const range: WatchRange = { ...context, positions };
  if (path.resource.plural === "jobs") {
    for await (const change of watchJobs(range, jobFilter(context.cluster, path, options))) {
      yield eventOf(change, JOB_COLUMNS, jobObject);
    }
    return;
  }
  const { namespace, name } = path;
  const pods = watchPods(range, ({ job, attempt }) => {
    const isPlaced = (namespace ?? job.namespace) === job.namespace && (name ?? attempt.name) === attempt.name;
    return isPlaced && isWanted(job, attempt, options);
  });
  for await (const change of pods) yield eventOf(change, POD_COLUMNS, showPod);
}

function eventOf<Row>(
  { type, row }: WatchNews<Row>,
  columns: Parameters<typeof listingOf<Row>>[1],
  show: (row: Row) => KubeObject,
): KubeWatchEvent {
  return { type, listing: listingOf([row], columns, show) };
}
