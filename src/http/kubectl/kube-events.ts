import { createHash } from "node:crypto";
import type { Cause, JobAnswer } from "../../explain/answer-document.ts";
import { responsibilityText } from "../../explain/cause/responsibility-text.ts";
import { canonical } from "../../job/model/canonical.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { getJobNow } from "../../query/job/get-job.ts";
import { type HistoryEntry, listJobHistory } from "../../query/job/job-history.ts";
import type { KubeContext } from "./kube-context.ts";
import type { KubeObject } from "./kube-object.ts";
import type { KubePath } from "./kube-request.ts";
import { findKubePod } from "./list-kube-pods.ts";
import { age, column, type RowFormat } from "./listing.ts";

export type EventsFound =
  | { readonly outcome: "listed"; readonly events: readonly KubeObject[] }
  /** The request names no object. All events of a namespace would need a scan of the log. */
  | { readonly outcome: "tooMany" };

/** The most Events of one object; the newest are returned. */
const MAX_EVENTS = 50;
const MAX_HISTORY = 1_000;

/** Facts about one Job or Pod as Events. The Events of a Job include the outcomes of its Pods. */
export async function listKubeEvents(
  context: KubeContext,
  path: KubePath,
  involved: ReadonlyMap<string, string>,
): Promise<EventsFound> {
  const object = involvedObject(path, involved);
  if (object === undefined) return { outcome: "tooMany" };
  switch (involved.get("involvedObject.kind")) {
    case "Job":
      return { outcome: "listed", events: (await eventsOfJob(context, object)) ?? [] };
    case "Pod":
      return { outcome: "listed", events: await eventsOfPod(context, object) };
    // `kubectl describe pod` sends no kind.
    case undefined:
      return {
        outcome: "listed",
        events: (await eventsOfJob(context, object)) ?? (await eventsOfPod(context, object)),
      };
  }
  return { outcome: "listed", events: [] };
}

/** The object whose Events are requested: by the name of an Event, or by field selectors. */
function involvedObject(path: KubePath, involved: ReadonlyMap<string, string>): Involved | undefined {
  const name = path.name === undefined ? involved.get("involvedObject.name") : involvedName(path.name);
  const namespace = path.namespace ?? involved.get("involvedObject.namespace") ?? involved.get("metadata.namespace");
  if (name === undefined || namespace === undefined) return undefined;
  return { namespace, name, uid: involved.get("involvedObject.uid") };
}

interface Involved {
  readonly namespace: string;
  readonly name: string;
  /** Defaults to the newest object with this name. */
  readonly uid: string | undefined;
}

async function eventsOfJob(
  context: KubeContext,
  { namespace, name, uid }: Involved,
): Promise<readonly KubeObject[] | undefined> {
  const { ports, scope, cluster, now } = context;
  const found = await getJobNow(ports, { scope, wanted: { cluster, namespace, name, uid } }, now);
  if (found.outcome !== "answered") return undefined;
  const job = found.answer;
  const events = await eventsOf(context, job, ({ kind, object }) =>
    object === `job/${name}` ? !QUIET.has(kind) : OF_PODS.has(kind),
  );
  return [...events, ...reasonEvents(job)];
}

/** Why the Job failed, and why it is not running, in the words of every other surface. */
function reasonEvents(job: JobAnswer): readonly KubeObject[] {
  const { cause, waiting, verdict, name, createdAt } = job;
  const object = `job/${name}`;
  const entry = { resourceVersion: "0", object };
  return [
    ...(cause === undefined
      ? []
      : [eventObject(job, { ...entry, kind: "Cause", time: verdict.since ?? createdAt, detail: causeDetail(cause) })]),
    ...(waiting === undefined
      ? []
      : [eventObject(job, { ...entry, kind: waiting.reason, time: waiting.since, detail: waiting.message })]),
  ];
}

function causeDetail(cause: Cause): string {
  return `${cause.message}. ${responsibilityText(cause)}.`;
}

async function eventsOfPod(context: KubeContext, { namespace, name }: Involved): Promise<readonly KubeObject[]> {
  const found = await findKubePod(context, namespace, name);
  return found === undefined ? [] : eventsOf(context, found.job, ({ object }) => object === `pod/${name}`);
}

/** Facts that only repeat the state. Other facts already report its changes. */
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
  isShown: (entry: HistoryEntry) => boolean,
): Promise<readonly KubeObject[]> {
  const wanted = { cluster, namespace: job.namespace, name: job.name, uid: job.uid };
  const shown: HistoryEntry[] = [];
  let cursor: string | undefined;
  // The newest facts are on the last page.
  do {
    const page = await listJobHistory(ports, { scope, wanted }, { limit: MAX_HISTORY, cursor });
    if (page.outcome !== "listed") return [];
    shown.splice(0, shown.length, ...[...shown, ...page.items.filter(isShown)].slice(-MAX_EVENTS));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const events = shown.map((entry) => eventObject(job, entry));
  // Facts with the same text and second are one Event.
  return [...new Map(events.map((event) => [event.metadata.name, event])).values()];
}

/** The columns of `kubectl get events`. */
export const EVENT_FORMAT: RowFormat<KubeObject> = {
  columns: [
    column("Last Seen", (event, now) => age(String(event["lastTimestamp"]), now)),
    column("Type", (event) => String(event["type"])),
    column("Reason", (event) => String(event["reason"])),
    column("Object", objectText),
    column("Message", (event) => String(event["message"])),
  ],
  show: (event) => event,
};

function objectText(event: KubeObject): string {
  // Only eventObject creates Events. The general type of an object has no fields of Events.
  const { kind, name } = event["involvedObject"] as { readonly kind: string; readonly name: string };
  return `${kind.toLowerCase()}/${name}`;
}

/** A fact as a core/v1 Event, for `kubectl describe` and `kubectl events`. */
function eventObject(job: JobAnswer, entry: HistoryEntry): KubeObject {
  const { kind, time, detail = "", object = `job/${job.name}` } = entry;
  const cut = object.indexOf("/");
  const name = object.slice(cut + 1);
  const isJob = object.startsWith("job/");
  const mark = markOf(job, entry);
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: `${name}.${mark}`,
      namespace: job.namespace,
      uid: `${job.uid}.${mark}`,
      resourceVersion: String(parseInstant(time) ?? 0),
      creationTimestamp: time,
    },
    involvedObject: {
      apiVersion: isJob ? "batch/v1" : "v1",
      kind: KINDS[object.slice(0, cut)] ?? "Job",
      namespace: job.namespace,
      name,
      ...(isJob && { uid: job.uid }),
    },
    type: WARNINGS.has(kind) || /fail|lost|kill|evict/i.test(detail) ? "Warning" : "Normal",
    reason: kind,
    message: `${object} ${detail}`,
    source: { component: "outlive" },
    reportingComponent: "outlive",
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
  };
}

/** The name of the involved object, from the name of an Event. */
function involvedName(eventName: string): string {
  return eventName.replace(/\.[0-9a-f]+$/, "");
}

const MARK_LENGTH = 16;

/** Identifies the fact, so that an Event keeps its name when others are added. */
function markOf({ uid }: JobAnswer, entry: HistoryEntry): string {
  return createHash("sha256")
    .update(canonical([uid, entry]))
    .digest("hex")
    .slice(0, MARK_LENGTH);
}

const KINDS: Readonly<Record<string, string>> = { job: "Job", pod: "Pod", cronjob: "CronJob", node: "Node" };
const WARNINGS: ReadonlySet<string> = new Set(["PodVanished", "JobVanished", "PodDisrupted"]);
