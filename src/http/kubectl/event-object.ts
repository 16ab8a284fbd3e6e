import { createHash } from "node:crypto";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { canonical } from "../../job/model/canonical.ts";
import { parseInstant } from "../../job/model/instant.ts";
import type { HistoryEntry } from "../../query/job/job-history.ts";
import type { KubeObject } from "./kube-object.ts";

/** A fact as a core/v1 Event, for `kubectl describe` and `kubectl events`. */
export function eventObject(job: JobAnswer, entry: HistoryEntry): KubeObject {
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
export function involvedName(eventName: string): string {
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
