import type { Attempt, ContainerRun, JobAnswer } from "../../explain/answer-document.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { jobLabels } from "./kube-jobs.ts";
import { ANNOTATION, annotations, attributionText, type KubeObject } from "./kube-object.ts";
import { age, column, NONE, type RowFormat, wide } from "./listing.ts";

/** A Pod with its Job. */
export interface PodRow {
  readonly job: JobAnswer;
  readonly attempt: Attempt;
}

/** The columns of `kubectl get pods`, and when the Pod was deleted. */
export const POD_FORMAT: RowFormat<PodRow> = {
  columns: [
    column("Name", ({ attempt }) => attempt.name),
    column("Ready", ({ attempt }) => `0/${Math.max(1, new Set(attempt.containers.map(({ name }) => name)).size)}`),
    column("Status", ({ attempt }) => podStatusText(attempt)),
    { name: "Restarts", type: "integer", priority: 0, cell: ({ attempt }) => attempt.restarts },
    column("Age", ({ attempt }, now) => age(attempt.createdAt, now)),
    column("Deleted", ({ attempt }, now) => age(attempt.deletedAt, now)),
    wide("Deleted-By", ({ attempt }) => attempt.deletedBy?.actor ?? NONE),
    wide("Node", ({ attempt }) => attempt.node ?? NONE),
    wide("Job", ({ job }) => job.name),
  ],
  show: ({ job, attempt }) => podObject(job, attempt),
};

function podStatusText({ outcome, reason, startedAt }: Attempt): string {
  switch (outcome) {
    case "Succeeded":
      return "Completed";
    case "Failed":
      return reason ?? "Error";
    case "Unknown":
      return "Unknown";
    case "Terminating":
      return "Terminating";
    case "Active":
      return reason ?? (startedAt === undefined ? "Pending" : "Running");
  }
}

/** An attempt as a core/v1 Pod. */
export function podObject(job: JobAnswer, attempt: Attempt): KubeObject {
  const { uid, name, index, createdAt, node, containers } = attempt;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: job.namespace,
      uid,
      resourceVersion: String(parseInstant(job.asOf.time) ?? 0),
      creationTimestamp: createdAt,
      labels: podLabels(job, attempt),
      annotations: annotations({
        "batch.kubernetes.io/job-completion-index": index === undefined ? undefined : String(index),
        [ANNOTATION.cluster]: job.cluster,
        [ANNOTATION.outcome]: attempt.outcome,
        [ANNOTATION.countedAs]: attempt.countedAs,
        [ANNOTATION.deletedAt]: attempt.deletedAt,
        [ANNOTATION.deletedBy]: attributionText(attempt.deletedBy),
      }),
      ownerReferences: [
        {
          apiVersion: "batch/v1",
          kind: "Job",
          name: job.name,
          uid: job.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      ...(node !== undefined && { nodeName: node }),
      restartPolicy: job.spec.template.spec.restartPolicy,
      containers: [...new Set(containers.map((container) => container.name))].map((container) => ({ name: container })),
    },
    status: statusOf(attempt),
  };
}

/** The labels that the Job controller gives a Pod. Facts do not keep other labels. */
export function podLabels({ uid, name }: Pick<JobAnswer, "uid" | "name">, { index }: Pick<Attempt, "index">) {
  const labels = jobLabels(uid, name);
  return index === undefined ? labels : { ...labels, "batch.kubernetes.io/job-completion-index": String(index) };
}

function statusOf(attempt: Attempt): Readonly<Record<string, unknown>> {
  const { reason, message, startedAt, scheduledAt } = attempt;
  return {
    phase: podPhase(attempt),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
    ...((scheduledAt ?? startedAt) !== undefined && { startTime: scheduledAt ?? startedAt }),
    containerStatuses: lastRuns(attempt).map(containerStatus),
  };
}

/** The phase that corresponds to the outcome. */
function podPhase({ outcome, startedAt }: Attempt): string {
  switch (outcome) {
    case "Succeeded":
    case "Failed":
    case "Unknown":
      return outcome;
    case "Active":
    case "Terminating":
      return startedAt === undefined ? "Pending" : "Running";
  }
}

/** The last run of each container, by restart count. */
function lastRuns({ containers }: Attempt): readonly ContainerRun[] {
  const last = new Map<string, ContainerRun>();
  for (const run of containers) {
    const known = last.get(run.name);
    if (known === undefined || known.restartCount <= run.restartCount) last.set(run.name, run);
  }
  return [...last.values()];
}

function containerStatus(run: ContainerRun): Readonly<Record<string, unknown>> {
  const { name, exitCode, reason, signal, startedAt, finishedAt, restartCount } = run;
  const ended = { exitCode, reason, signal, startedAt, finishedAt };
  const state =
    exitCode === undefined
      ? startedAt === undefined
        ? { waiting: { reason: reason ?? "Unknown" } }
        : { running: { startedAt } }
      : { terminated: ended };
  return { name, image: "", imageID: "", ready: false, restartCount, state };
}
