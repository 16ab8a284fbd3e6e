import type { FactRef, PodRef } from "../../explain/answer-document.ts";
import type { ClusterFact, JobObjectFact, PodFact } from "./fact.ts";
import { instantOf } from "./fact-instant.ts";
import { formatInstant, type Instant } from "./instant.ts";
import type { JobObject } from "./job-record.ts";
import type { PodRecord } from "./pod-record.ts";

/** A Pod's fact as evidence. `detail` is a clause that has the Pod as its subject: "succeeded after 12 s on node-a". */
export function podFactRef(pod: PodRecord, fact: PodFact, detail: string, at: Instant = instantOf(fact)): FactRef {
  return factRef(fact, `pod/${podName(pod)}`, detail, at);
}

/** A fact about the Job itself as evidence. `detail` is a clause that has the Job as its subject. */
export function jobFactRef(job: JobObject, fact: JobObjectFact, detail: string): FactRef {
  return factRef(fact, `job/${job.created?.name ?? job.uid}`, detail, instantOf(fact));
}

/** A fact about a Node, or a hint, as evidence. */
export function clusterFactRef(fact: ClusterFact, object: string, detail: string): FactRef {
  return factRef(fact, object, detail, instantOf(fact));
}

/** The Pod's name, or its uid where nobody saw who it is. */
export function podName(pod: PodRecord): string {
  return pod.created?.name ?? pod.uid;
}

export function podRef(pod: PodRecord): PodRef {
  const node = pod.scheduled?.node;
  return { uid: pod.uid, name: podName(pod), ...(node !== undefined && { node }) };
}

function factRef(fact: JobObjectFact | PodFact | ClusterFact, object: string, detail: string, at: Instant): FactRef {
  return {
    kind: fact.kind,
    time: formatInstant(at),
    resourceVersion: String(fact.resourceVersion),
    object,
    detail,
  };
}
