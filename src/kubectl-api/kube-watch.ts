import { SETTLED_AFTER_MS } from "../segment/late.ts";
import { logBegin } from "../query/changes/log-begin.ts";
import { type LogPosition, positionAt } from "../query/changes/log-position.ts";
import type { ClusterName } from "../job/model/ids.ts";
import type { Instant } from "../job/model/instant.ts";
import { answerKubernetes, showPod } from "./answer-kubernetes.ts";
import { jobObject } from "./job-object.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { type KubeStatus, kubeStatus } from "./kube-status.ts";
import { jobFilter } from "./list-jobs-as-kube.ts";
import { isWanted } from "./list-pods-as-kube.ts";
import { listingOf } from "./listing.ts";
import { type KubeWatchEvent, RelistedWatch } from "./relisted-watch.ts";
import { JOB_COLUMNS, POD_COLUMNS } from "./table.ts";
import { watchJobs, type WatchNews, watchPods, type WatchRange } from "./watch-jobs.ts";

export interface KubeWatchTarget {
  readonly path: KubePath;
  readonly options: KubeListOptions;
}

/** A `resourceVersion` here is an instant, in milliseconds: the log is in the order of time, and clients may compare the numbers (KEP-5504). */
export function resourceVersionOf(now: Instant): string {
  return String(now);
}

export type WatchStart =
  | {
      readonly outcome: "starts";
      readonly positions: Map<ClusterName, LogPosition>;
      readonly withExisting: boolean;
      /** What is not followed in the log is listed again and again, and compared. */
      readonly relisted: RelistedWatch;
    }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

export type StartedWatch = Extract<WatchStart, { readonly outcome: "starts" }>;

/** Where a watch begins, or why it cannot. Without a version, or with "0", with what there is. */
export async function startOfWatch(context: KubeContext, { path, options }: KubeWatchTarget): Promise<WatchStart> {
  const { cluster, now } = context;
  const { resourceVersion = "0", initialEvents } = options;
  const version = Number(resourceVersion);
  const refused = (await refusedVersion(context, resourceVersion)) ?? (await refusedList(context, { path, options }));
  if (refused !== undefined) return { outcome: "refused", status: refused };
  // What is sealed now arrives in a moment. What is told twice is a modification that changes nothing.
  const at = (version > 0 ? version : now) - SETTLED_AFTER_MS;
  return {
    outcome: "starts",
    positions: new Map([[cluster, positionAt(at)]]),
    withExisting: version === 0 || initialEvents,
    relisted: new RelistedWatch(version),
  };
}

async function refusedVersion({ cluster, now, ports }: KubeContext, text: string): Promise<KubeStatus | undefined> {
  if (!/^\d{1,16}$/.test(text)) {
    return kubeStatus("BadRequest", `resourceVersion "${text}" is not one that was given out here.`);
  }
  const version = Number(text);
  const begin = await logBegin(ports.meta, cluster);
  if (version > 0 && begin !== undefined && version < begin) {
    return kubeStatus("Expired", `too old resource version: ${text} (${begin})`);
  }
  if (version <= now + SETTLED_AFTER_MS) return undefined;
  return kubeStatus("Expired", `resourceVersion ${text} is later than it is now (${now}): list again.`);
}

/** What cannot be listed cannot be watched, and says why; what is not there yet may come. */
async function refusedList(context: KubeContext, { path, options }: KubeWatchTarget): Promise<KubeStatus | undefined> {
  const listed = path.resource.plural === "events" ? await answerKubernetes(context, path, options) : undefined;
  return listed?.outcome === "refused" && listed.status.reason !== "NotFound" ? listed.status : undefined;
}

/** All there is now, as events. */
export async function* existing(
  context: KubeContext,
  { relisted }: StartedWatch,
  { path, options }: KubeWatchTarget,
): AsyncGenerator<KubeWatchEvent> {
  let continueToken: string | undefined;
  do {
    const answer = await answerKubernetes(context, path, { ...options, whole: false, continueToken });
    if (answer.outcome === "refused") return;
    const { listing } = answer;
    if (!isFollowed(path)) relisted.begin(listing);
    for (const index of listing.objects.keys()) yield { type: "ADDED", listing: listing.only(index) };
    ({ continueToken } = listing);
  } while (continueToken !== undefined);
}

/** Whether what changes is read from the log; else it is listed again. */
export function isFollowed({ resource }: KubePath): boolean {
  return resource.plural === "jobs" || resource.plural === "pods";
}

/** What changed since the positions, which are moved on, or since the list before. */
export async function* news(
  context: KubeContext,
  { positions, relisted }: StartedWatch,
  target: KubeWatchTarget,
): AsyncGenerator<KubeWatchEvent> {
  const { path, options } = target;
  if (!isFollowed(path)) {
    const answer = await answerKubernetes(context, path, { ...options, whole: true });
    if (answer.outcome === "listed") yield* relisted.compare(answer.listing, context.now);
    return;
  }
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
