import type { JobAnswer } from "../../job/answer.ts";
import type { HistoryEntry } from "../../query/job-history.ts";
import type { KubeObject } from "./kube-object.ts";

/** A fact as a core/v1 Event, so that `kubectl describe` tells the story. */
export function eventObject(job: JobAnswer, entry: HistoryEntry, place: number): KubeObject {
  const { kind, time, detail = "", object = `job/${job.name}` } = entry;
  const cut = object.indexOf("/");
  const name = object.slice(cut + 1);
  const isJob = object.startsWith("job/");
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: `${name}.${job.uid.slice(0, 8)}-${place}`,
      namespace: job.namespace,
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
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
  };
}

const KINDS: Readonly<Record<string, string>> = { job: "Job", pod: "Pod", cronjob: "CronJob", node: "Node" };
const WARNINGS: ReadonlySet<string> = new Set(["PodVanished", "JobVanished", "PodDisrupted"]);
