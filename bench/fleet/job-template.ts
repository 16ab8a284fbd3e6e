import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { JsonObject } from "../../src/kubernetes/json/json-field.ts";
import type { ChangeType } from "../../src/kubernetes/translate/translated.ts";
import { uidOf } from "../dynamodb/steady-jobs.ts";
import type { SeriesMetadata } from "./series-metadata.ts";

/** A watch event and its time. */
export interface TimedEvent {
  readonly ms: number;
  readonly event: { readonly type: ChangeType; readonly object: JsonObject };
}

export type JobEnd = "completes" | "fails";

/**
 * The watch events of two one-Pod Jobs as a real API server, scheduler, kubelet and Job controller of Kubernetes 1.36.3
 * wrote them on 2026-11-22, with their core/v1 Events, reduced to the fields that `translate` reads. `completes` ran 22
 * s. `fails` retried three times: the first Pod's events stand for the second and third, after 10, 20 and 40 s of
 * back-off. Composed: the Event `Pulling` (the image was present), and the deletion in the foreground, in the order in
 * which the TTL and garbage collectors write it.
 */
const TEMPLATES: ReadonlyMap<JobEnd, readonly TimedEvent[]> = readTemplates();
/** The recorded times begin here. */
const ORIGIN = Date.UTC(2026, 0, 1);

/** When the last container begins and ends to run, and when the Job is deleted, in the recorded times. */
const ANCHORS = {
  completes: { runs: 1_100, ends: 23_300, finishes: 25_489, deletes: 60_000 },
  fails: { runs: 92_100, ends: 92_900, finishes: 95_077, deletes: 200_000 },
} as const satisfies Readonly<Record<JobEnd, object>>;

function readTemplates(): ReadonlyMap<JobEnd, readonly TimedEvent[]> {
  const text = gunzipSync(readFileSync(new URL("one-pod-jobs.ndjson.gz", import.meta.url))).toString();
  const lines = text.split("\n").filter((line) => line !== "");
  const events = lines.map((line) => JSON.parse(line) as TimedEvent & { readonly job: JobEnd });
  return Map.groupBy(events, ({ job }) => job);
}

export interface PlannedJob {
  readonly end: JobEnd;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  /** Different for each Job of a cluster. */
  readonly number: number;
  /** From the creation to the end, in milliseconds; at least the time without the run. */
  readonly lifetime: number;
  /** From the end to the deletion. */
  readonly ttl: number;
  /** The CronJob that creates it. */
  readonly owner?: { readonly name: string; readonly uid: string };
  /** What its series has in its metadata. @default one label, as recorded */
  readonly metadata?: SeriesMetadata;
  /** The JobSet that creates it, instead of a CronJob; before the Job begins. @default none */
  readonly jobSet?: OwningJobSet;
}

export interface OwningJobSet {
  readonly name: string;
  readonly uid: string;
  readonly index: number;
  /** When the Job was created, suspended. */
  readonly createdAt: string;
}

export function jobUidOf({ cluster, number }: Pick<PlannedJob, "cluster" | "number">): string {
  return uidOf(`${cluster} job ${number}`);
}

/** The watch events of a Job that begins at `beginsAt`, in milliseconds since 1970. `ms` is the time since then. */
export function eventsOfJob(job: PlannedJob, beginsAt: number): readonly TimedEvent[] {
  const moved = timeShift(job);
  const rename = renaming(job);
  return (TEMPLATES.get(job.end) ?? []).map(({ ms, event }) => {
    const text = rename(JSON.stringify(event));
    const own = JSON.parse(text, (_, value: unknown) =>
      later(value, (at) => beginsAt + moved(at)),
    ) as TimedEvent["event"];
    return { ms: moved(ms), event: owned(own, job) };
  });
}

/** Stretches the run to the Job's lifetime, and the rest of the time until its deletion to the TTL. */
function timeShift({ end, lifetime, ttl }: PlannedJob): (ms: number) => number {
  const { runs, ends, finishes, deletes } = ANCHORS[end];
  const more = Math.max(runs - ends, lifetime - finishes);
  return (ms) => {
    if (ms < runs) return ms;
    if (ms < ends) return Math.min(ms, ends + more);
    return ms < deletes ? ms + more : ms - deletes + finishes + more + ttl;
  };
}

function renaming({ cluster, namespace, name, number }: PlannedJob): (text: string) => string {
  return (text) =>
    text
      .replaceAll("JOBNAME", name)
      .replaceAll("NAMESPACE", namespace)
      .replaceAll(/-pod(\d)x/g, (_, pod: string) => `-${uidOf(`${cluster} ${number} ${pod}`).slice(0, 4)}${pod}`)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) =>
        uid === JOB_UID ? jobUidOf({ cluster, number }) : uidOf(`${cluster} ${number} ${uid}`),
      );
}

/** The Job's uid in the templates. */
const JOB_UID = "11111111-1111-4111-8111-111111111111";

/** Instants of the recorded time become later. Object times have whole seconds, microseconds for `eventTime`. */
function later(value: unknown, moved: (ms: number) => number): unknown {
  if (typeof value !== "string" || !/^2026-01-01T00:\d\d:[\d.]+Z$/.test(value)) return value;
  const text = new Date(moved(Date.parse(value) - ORIGIN)).toISOString();
  return value.length > 20 ? text.replace("Z", "000Z") : text.replace(/\.\d+Z$/, "Z");
}

function owned(event: TimedEvent["event"], { owner, metadata, jobSet }: PlannedJob): TimedEvent["event"] {
  const { object } = event;
  if (object["kind"] !== "Job") return event;
  const own = {
    ...(object["metadata"] as JsonObject),
    ...metadata,
    ...(owner && { ownerReferences: [{ apiVersion: "batch/v1", kind: "CronJob", controller: true, ...owner }] }),
    ...(jobSet && inJobSet(jobSet, metadata)),
  };
  return { ...event, object: { ...object, metadata: own } };
}

/** A JobSet writes the same keys as labels and annotations (JobSet 0.12). */
function inJobSet({ name, uid, index, createdAt }: OwningJobSet, metadata: SeriesMetadata | undefined): JsonObject {
  const keys = Object.fromEntries(
    Object.entries({
      "global-replicas": "4",
      "group-name": "default",
      "group-replicas": "4",
      "job-global-index": String(index),
      "job-group-index": String(index),
      "job-index": String(index),
      "job-key": uid.replaceAll("-", "").padEnd(40, "0"),
      "job-restart-attempt": "0",
      "jobset-name": name,
      "jobset-uid": uid,
      "replicatedjob-name": "worker",
      "replicatedjob-replicas": "4",
      "restart-attempt": "0",
    }).map(([key, value]) => [`jobset.sigs.k8s.io/${key}`, value]),
  );
  const owner = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", controller: true, name, uid };
  return {
    labels: { ...metadata?.labels, ...keys },
    annotations: { ...metadata?.annotations, ...keys },
    ownerReferences: [owner],
    creationTimestamp: createdAt,
    generation: 2,
  };
}
