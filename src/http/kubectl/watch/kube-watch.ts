import { SETTLED_AFTER_MS } from "../../../segment/late.ts";
import { logBegin } from "../../../query/changes/log-begin.ts";
import { type LogPosition, positionAt } from "../../../query/changes/log-position.ts";
import type { ClusterName } from "../../../job/model/ids.ts";
import { answerKubernetes } from "../answer-kubernetes.ts";
import type { KubeContext } from "../kube-context.ts";
import type { KubeListOptions, KubePath } from "../kube-request.ts";
import { type KubeStatus, kubeStatus } from "../kube-status.ts";
import { JOB_FORMAT, jobFilter } from "../kube-jobs.ts";
import { POD_FORMAT } from "../kube-pods.ts";
import { isWanted } from "../list-kube-pods.ts";
import { listingOf, type RowFormat } from "../listing.ts";
import { type KubeWatchEvent, RelistedWatch } from "./relisted-watch.ts";
import { watchJobs, type WatchChange, watchPods, type WatchRange } from "./watch-jobs.ts";

export interface KubeWatchTarget {
  readonly path: KubePath;
  readonly options: KubeListOptions;
}

export type WatchStart =
  | {
      readonly outcome: "starts";
      readonly positions: Map<ClusterName, LogPosition>;
      readonly withExisting: boolean;
      /** For kinds that the log does not follow. */
      readonly relisted: RelistedWatch;
    }
  | { readonly outcome: "refused"; readonly status: KubeStatus };

export type StartedWatch = Extract<WatchStart, { readonly outcome: "starts" }>;

/** Where a watch begins, or why it cannot. Without a version, or with "0", it begins with the existing objects. */
export async function startOfWatch(context: KubeContext, { path, options }: KubeWatchTarget): Promise<WatchStart> {
  const { cluster, now } = context;
  const { resourceVersion = "0", initialEvents } = options;
  const version = Number(resourceVersion);
  const refused = (await refusedVersion(context, resourceVersion)) ?? (await refusedList(context, { path, options }));
  if (refused !== undefined) return { outcome: "refused", status: refused };
  // Segments arrive some time after they are sealed. An event that is sent twice is a modification without changes.
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
    return kubeStatus("BadRequest", `Invalid resourceVersion "${text}": use one from a list or watch of this server.`);
  }
  const version = Number(text);
  const begin = await logBegin(ports.meta, cluster);
  if (version > 0 && begin !== undefined && version < begin) {
    return kubeStatus("Expired", `too old resource version: ${text} (${begin})`);
  }
  if (version <= now + SETTLED_AFTER_MS) return undefined;
  return kubeStatus("Expired", `resourceVersion ${text} is in the future (now: ${now}): list again.`);
}

/** The error of a list that cannot be watched either. An object that does not exist yet can be watched. */
async function refusedList(context: KubeContext, { path, options }: KubeWatchTarget): Promise<KubeStatus | undefined> {
  const listed = path.resource.plural === "events" ? await answerKubernetes(context, path, options) : undefined;
  return listed?.outcome === "refused" && listed.status.reason !== "NotFound" ? listed.status : undefined;
}

/** The existing objects, as ADDED events. */
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

/** Whether changes are read from the log. Other kinds are listed again. */
export function isFollowed({ resource }: KubePath): boolean {
  return resource.plural === "jobs" || resource.plural === "pods";
}

/** What changed since the last call: by the positions, which are then updated, or by the previous list. */
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
      yield eventOf(change, JOB_FORMAT);
    }
    return;
  }
  const { namespace, name } = path;
  const pods = watchPods(range, ({ job, attempt }) => {
    const isNamed = (namespace ?? job.namespace) === job.namespace && (name ?? attempt.name) === attempt.name;
    return isNamed && isWanted(job, attempt, options);
  });
  for await (const change of pods) yield eventOf(change, POD_FORMAT);
}

function eventOf<Row>({ type, row }: WatchChange<Row>, format: RowFormat<Row>): KubeWatchEvent {
  return { type, listing: listingOf([row], format) };
}
