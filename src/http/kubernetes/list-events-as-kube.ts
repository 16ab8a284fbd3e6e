import type { JobAnswer } from "../../job/answer.ts";
import { getJobNow } from "../../query/get-job.ts";
import { type HistoryEntry, listJobHistory } from "../../query/job-history.ts";
import { eventObject } from "./event-object.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeObject } from "./kube-object.ts";
import { findKubePod } from "./list-pods-as-kube.ts";

export type EventsFound =
  | { readonly outcome: "listed"; readonly events: readonly KubeObject[] }
  /** Whose events is not said: all of a namespace's would be a scan of the log. */
  | { readonly outcome: "tooMany" };

/** The newest that `kubectl describe` is given of one object. */
const MAX_EVENTS = 50;
const MAX_HISTORY = 1_000;

/** Facts about one Job or one of its Pods as Events. Of a Job also what became of its Pods. */
export async function listKubeEvents(
  context: KubeContext,
  namespace: string | undefined,
  involved: ReadonlyMap<string, string>,
): Promise<EventsFound> {
  const name = involved.get("involvedObject.name");
  const place = namespace ?? involved.get("involvedObject.namespace");
  if (name === undefined || place === undefined) return { outcome: "tooMany" };
  switch (involved.get("involvedObject.kind") ?? "Job") {
    case "Job":
      return { outcome: "listed", events: await eventsOfJob(context, place, name) };
    case "Pod":
      return { outcome: "listed", events: await eventsOfPod(context, place, name) };
  }
  return { outcome: "listed", events: [] };
}

async function eventsOfJob(context: KubeContext, namespace: string, name: string): Promise<readonly KubeObject[]> {
  const { ports, scope, cluster, now } = context;
  const found = await getJobNow(ports, scope, { cluster, namespace, name }, now);
  if (found.outcome !== "answered") return [];
  const job = found.answer;
  return eventsOf(context, job, ({ kind, object }) =>
    object === `job/${name}` ? !QUIET.has(kind) : OF_PODS.has(kind),
  );
}

async function eventsOfPod(context: KubeContext, namespace: string, name: string): Promise<readonly KubeObject[]> {
  const found = await findKubePod(context, namespace, name);
  return found === undefined ? [] : eventsOf(context, found.job, ({ object }) => object === `pod/${name}`);
}

/** Said of every sight: what changed is told by others. */
const QUIET: ReadonlySet<string> = new Set(["JobReported", "JobTracked", "JobUntracked"]);
const OF_PODS: ReadonlySet<string> = new Set([
  "PodCreated",
  "PodTerminated",
  "PodDisrupted",
  "PodDeleted",
  "PodVanished",
  "RequestHinted",
]);

async function eventsOf(
  { ports, scope, cluster }: KubeContext,
  job: JobAnswer,
  isTold: (entry: HistoryEntry) => boolean,
): Promise<readonly KubeObject[]> {
  const wanted = { cluster, namespace: job.namespace, name: job.name, uid: job.uid };
  const page = await listJobHistory(ports, scope, wanted, { limit: MAX_HISTORY });
  if (page.outcome !== "listed") return [];
  return page.items
    .filter(isTold)
    .slice(-MAX_EVENTS)
    .map((entry, place) => eventObject(job, entry, place));
}
