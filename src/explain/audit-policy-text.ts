import { attributePodDeletion } from "../job/attribution/pod-deletion.ts";
import type { DerivedJob } from "./derived-job.ts";
import { endedBefore } from "../job/attribution/pod-deletion-case.ts";
import type { HintTarget } from "../job/model/fact.ts";
import type { PodRecord } from "../job/model/pod-record.ts";
import { list } from "../job/text/sentence.ts";
import type { WhyPods } from "./why-pods.ts";

/**
 * What the audit log would have to contain to show who deleted the Job, or its Pods while they ran. `undefined` if that
 * is known.
 */
export function auditPolicyText({ deletedBy }: DerivedJob, pods: WhyPods): string | undefined {
  const unknown: HintTarget["kind"][] = [];
  if (deletedBy?.actor === "unknown") unknown.push("Job");
  if (pods.deleted.pods.some((pod) => isUnexplained(pod, pods))) unknown.push("Pod");
  if (unknown.length === 0) return undefined;
  const requests = list(unknown.map((kind) => REQUESTS[kind] ?? ""));
  const policy = `the requests ${requests} at level RequestResponse, stage ResponseComplete`;
  const known = kindsWithRequests(pods).filter((kind) => !unknown.includes(kind));
  if (known.length > 0) {
    return (
      `The audit log has requests about ${list(known.map(pluralOf))}, but none that deleted the ` +
      `${list(unknown.map(pluralOf))}: add to the audit policy ${policy}.`
    );
  }
  return (
    `No audit event shows who deleted the ${list(unknown.map(pluralOf))}. ` +
    `Send Outlive the audit log of an API server whose policy logs ${policy}.`
  );
}

/** Whether nothing shows who deleted a Pod that had not ended. Deletions of Pods that had ended matter less. */
function isUnexplained(pod: PodRecord, { job, clusterContext }: WhyPods): boolean {
  const deletion = pod.deletionRequested ?? pod.deleted;
  if (deletion === undefined || endedBefore(pod, deletion)) return false;
  return attributePodDeletion(pod, job, clusterContext)?.actor === "unknown";
}

/** The requests whose audit events name who deleted an object of a kind. */
const REQUESTS: Partial<Record<HintTarget["kind"], string>> = {
  Job: "delete and deletecollection of jobs (batch)",
  Pod: "delete and deletecollection of pods, and create of pods/eviction",
};

/** The kinds of objects around the Job for which the deletion of at least one was in an audit event. */
function kindsWithRequests({ clusterContext }: WhyPods): readonly HintTarget["kind"][] {
  const kinds = new Set<HintTarget["kind"]>();
  for (const hints of clusterContext.hints.values()) {
    for (const hint of hints) if (hint.kind === "RequestHinted") kinds.add(hint.target.kind);
  }
  return [...kinds].toSorted();
}

function pluralOf(kind: HintTarget["kind"]): string {
  return kind === "Job" ? "Job" : `${kind}s`;
}
