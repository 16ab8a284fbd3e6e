import type { JobAnswer } from "../explain/answer-document.ts";
import type { JobStatus } from "../job/status/job-status.ts";
import { canonical } from "../job/model/canonical.ts";
import { parseInstant } from "../job/model/instant.ts";
import { ANNOTATION, annotations, attributionText, type KubeObject } from "./kube-object.ts";

/** A Job as batch/v1: its `status` as it follows from all facts. A Job that is gone is shown as it was, with annotations that say since when. */
export function jobObject(job: JobAnswer): KubeObject {
  const { namespace, name, uid, createdAt, labels, owner } = job;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(parseInstant(job.asOf.time) ?? 0),
      creationTimestamp: createdAt,
      labels,
      annotations: annotationsOf(job),
      ...(owner && { ownerReferences: [ownerReference(owner)] }),
    },
    spec: specOf(job),
    status: { ...statusOf(job) },
  };
}

function annotationsOf(job: JobAnswer): Readonly<Record<string, string>> {
  const { verdict, findings, completeness, reported, status } = job;
  const differs =
    reported !== undefined && canonical(withoutBooks(reported.status)) !== canonical(withoutBooks(status));
  return annotations({
    [ANNOTATION.cluster]: job.cluster,
    [ANNOTATION.verdict]: verdictText(job),
    [ANNOTATION.reported]: differs ? JSON.stringify(reported.status) : undefined,
    [ANNOTATION.findings]: findings.map(({ kind, message }) => `${kind}: ${message}`).join(" "),
    [ANNOTATION.completeness]: completeness.level === "complete" ? undefined : completeness.level,
    [ANNOTATION.deletedAt]: job.deletedAt,
    [ANNOTATION.deletedBy]: attributionText(job.deletedBy),
    // A status without the time it began would be a Job that is still running to whoever reads it so.
    ...(verdict.since !== undefined && { "outlive/since": verdict.since }),
  });
}

function verdictText({ verdict: { state, reason, final, basis } }: JobAnswer): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  return `${state}${why}, ${final ? "final" : "not final"}, ${basis}`;
}

/** How the controller keeps its books is no difference in what it says. */
function withoutBooks(status: JobStatus): unknown {
  return { ...status, uncountedTerminatedPods: undefined };
}

function specOf({ spec, uid, name }: JobAnswer): Readonly<Record<string, unknown>> {
  const labels = jobLabels(uid, name);
  return {
    ...spec,
    selector: { matchLabels: { "batch.kubernetes.io/controller-uid": uid } },
    template: { metadata: { creationTimestamp: null, labels }, spec: { ...spec.template.spec, containers: [] } },
  };
}

/** Facts keep no labels of Pods; these are those that the Job controller gives every Pod it makes. */
export function jobLabels(uid: string, name: string): Readonly<Record<string, string>> {
  return {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
}

/** `kubectl get` reckons a duration from completionTime: one that nobody reported is when the Job was proven complete. */
function statusOf({ status, verdict, finishedAt }: JobAnswer): JobStatus {
  return status.completionTime === undefined && verdict.state === "Complete" && finishedAt !== undefined
    ? { ...status, completionTime: finishedAt }
    : status;
}

function ownerReference({ kind, name, uid }: NonNullable<JobAnswer["owner"]>): unknown {
  return { apiVersion: OWNER_VERSIONS[kind] ?? "v1", kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Facts do not keep the version an owner is of. */
const OWNER_VERSIONS: Readonly<Record<string, string>> = {
  CronJob: "batch/v1",
  JobSet: "jobset.x-k8s.io/v1alpha2",
  Workflow: "argoproj.io/v1alpha1",
};
