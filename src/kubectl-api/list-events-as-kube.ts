import type { JobAnswer } from "../explain/answer-document.ts";
import { getJobNow } from "../query/job/get-job.ts";
import { type HistoryEntry, listJobHistory } from "../query/job/job-history.ts";
import { eventObject, involvedName } from "./event-object.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubePath } from "./kube-request.ts";
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
  { namespace, name: eventName }: KubePath,
  involved: ReadonlyMap<string, string>,
): Promise<EventsFound> {
  const name = eventName === undefined ? involved.get("involvedObject.name") : involvedName(eventName);
  const place = namespace ?? involved.get("involvedObject.namespace") ?? involved.get("metadata.namespace");
  if (name === undefined || place === undefined) return { outcome: "tooMany" };
  const object = { namespace: place, name, uid: involved.get("involvedObject.uid") };
  switch (involved.get("involvedObject.kind")) {
    case "Job":
      return { outcome: "listed", events: (await eventsOfJob(context, object)) ?? [] };
    case "Pod":
      return { outcome: "listed", events: await eventsOfPod(context, object) };
    // `kubectl describe pod` says no kind.
    case undefined:
      return {
        outcome: "listed",
        events: (await eventsOfJob(context, object)) ?? (await eventsOfPod(context, object)),
      };
  }
  return { outcome: "listed", events: [] };
}

interface Involved {
  readonly namespace: string;
  readonly name: string;
  /** Which of those that had the name; the newest where it is not said. */
  readonly uid: string | undefined;
}

async function eventsOfJob(
  context: KubeContext,
  { namespace, name, uid }: Involved,
): Promise<readonly KubeObject[] | undefined> {
  const { ports, scope, cluster, now } = context;
  const found = await getJobNow(ports, scope, { cluster, namespace, name, uid }, now);
  if (found.outcome !== "answered") return undefined;
  const job = found.answer;
  return eventsOf(context, job, ({ kind, object }) =>
    object === `job/${name}` ? !QUIET.has(kind) : OF_PODS.has(kind),
  );
}

async function eventsOfPod(context: KubeContext, { namespace, name }: Involved): Promise<readonly KubeObject[]> {
  const found = await findKubePod(context, namespace, name);
  return found === undefined ? [] : eventsOf(context, found.job, ({ object }) => object === `pod/${name}`);
}

/** Said of every observation: what changed is told by others. */
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
  const told: HistoryEntry[] = [];
  let cursor: string | undefined;
  // The newest are at the end.
  do {
    const page = await listJobHistory(ports, scope, wanted, { limit: MAX_HISTORY, cursor });
    if (page.outcome !== "listed") return [];
    told.splice(0, told.length, ...[...told, ...page.items.filter(isTold)].slice(-MAX_EVENTS));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const events = told.map((entry) => eventObject(job, entry));
  // The same words of the same second are one Event.
  return [...new Map(events.map((event) => [event.metadata.name, event])).values()];
}
