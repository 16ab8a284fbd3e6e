import type { JobAnswer } from "../../explain/answer-document.ts";
import { completionsText } from "../../explain/completions-text.ts";
import { stateText } from "../../explain/state-text.ts";
import { canonical } from "../../job/model/canonical.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { jobRunTime } from "../../job/status/job-duration.ts";
import type { JobStatus } from "../../job/status/job-status.ts";
import { humanDuration } from "../../job/text/human-duration.ts";
import type { JobFilter } from "../../query/list/job-filter.ts";
import { listJobs } from "../../query/list/list-jobs.ts";
import type { KubeContext } from "./kube-context.ts";
import { ANNOTATION, annotations, attributionText, type KubeObject } from "./kube-object.ts";
import type { KubeListOptions, KubePath } from "./kube-request.ts";
import { age, column, NONE, type RowFormat, type RowsPage, wide } from "./listing.ts";

/** Jobs as the Kubernetes API lists them. A name is one object there, so a request by name returns the newest Job. */
export async function listKubeJobs(
  { ports, scope, cluster, now }: KubeContext,
  path: KubePath,
  options: KubeListOptions,
): Promise<RowsPage<JobAnswer>> {
  const filter = jobFilter(cluster, path, options);
  const { limit, continueToken: cursor } = options;
  const page = await listJobs(ports, scope, { filter, limit, cursor, now });
  if (page.outcome === "badCursor") return { outcome: "badToken", message: page.problem };
  if (filter.name !== undefined && filter.namespace !== undefined) {
    return { outcome: "listed", rows: page.items.slice(0, 1) };
  }
  return { outcome: "listed", rows: page.items, ...(page.nextCursor && { continueToken: page.nextCursor }) };
}

export function jobFilter(
  cluster: KubeContext["cluster"],
  { namespace, name }: KubePath,
  { labels, fields, pairs }: Pick<KubeListOptions, "labels" | "fields" | "pairs">,
): JobFilter {
  return {
    cluster,
    namespace: namespace ?? pairs.get("metadata.namespace"),
    name: name ?? pairs.get("metadata.name"),
    labels,
    fields,
  };
}

/** The columns of `kubectl get jobs` (k8s.io/kubernetes/pkg/printers/internalversion), and when the Job was deleted. */
export const JOB_FORMAT: RowFormat<JobAnswer> = {
  columns: [
    column("Name", ({ name }) => name),
    column("Status", stateText),
    column("Completions", completionsText),
    column("Duration", durationText),
    column("Age", ({ createdAt }, now) => age(createdAt, now)),
    column("Deleted", ({ deletedAt }, now) => age(deletedAt, now)),
    wide("Findings", ({ findings }) => findings.map(({ kind }) => kind).join(",") || NONE),
    wide("Deleted-By", ({ deletedBy }) => deletedBy?.actor ?? NONE),
    wide("Selector", ({ uid }) => `batch.kubernetes.io/controller-uid=${uid}`),
  ],
  show: jobObject,
};

function durationText(job: JobAnswer, now: Instant): string {
  const millis = jobRunTime(job, parseInstant(job.completeness.heardAt) ?? now);
  return millis === undefined ? "" : humanDuration(millis);
}

/** A batch/v1 Job whose `status` is derived from all facts. Annotations state when the Job was deleted. */
function jobObject(job: JobAnswer): KubeObject {
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
    reported !== undefined && canonical(withoutUncounted(reported.status)) !== canonical(withoutUncounted(status));
  return annotations({
    [ANNOTATION.cluster]: job.cluster,
    [ANNOTATION.verdict]: verdictText(job),
    [ANNOTATION.reported]: differs ? JSON.stringify(reported.status) : undefined,
    [ANNOTATION.findings]: findings.map(({ kind, message }) => `${kind}: ${message}`).join(" "),
    [ANNOTATION.completeness]: completeness.level === "complete" ? undefined : completeness.level,
    [ANNOTATION.heardAt]: completeness.heardAt,
    [ANNOTATION.deletedAt]: job.deletedAt,
    [ANNOTATION.deletedBy]: attributionText(job.deletedBy),
    // Clients that read only annotations need the start of the state.
    ...(verdict.since !== undefined && { "outlive/since": verdict.since }),
  });
}

function verdictText({ verdict: { state, reason, final, basis } }: JobAnswer): string {
  const why = reason === undefined ? "" : ` (${reason})`;
  return `${state}${why}, ${final ? "final" : "not final"}, ${basis}`;
}

/** A status without the controller's internal fields, which do not change its meaning. */
function withoutUncounted(status: JobStatus): unknown {
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

/** The labels that the Job controller gives every Pod. Facts do not keep other labels of Pods. */
export function jobLabels(uid: string, name: string): Readonly<Record<string, string>> {
  return {
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": name,
    "controller-uid": uid,
    "job-name": name,
  };
}

/**
 * `kubectl get` computes the duration from completionTime. If none was reported, it is when the Job was proven
 * complete.
 */
function statusOf({ status, verdict, finishedAt }: JobAnswer): JobStatus {
  return status.completionTime === undefined && verdict.state === "Complete" && finishedAt !== undefined
    ? { ...status, completionTime: finishedAt }
    : status;
}

function ownerReference({ kind, name, uid }: NonNullable<JobAnswer["owner"]>): unknown {
  return { apiVersion: OWNER_VERSIONS[kind] ?? "v1", kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** API versions by kind, because facts do not keep the version of an owner. */
const OWNER_VERSIONS: Readonly<Record<string, string>> = {
  CronJob: "batch/v1",
  JobSet: "jobset.x-k8s.io/v1alpha2",
  Workflow: "argoproj.io/v1alpha1",
};
