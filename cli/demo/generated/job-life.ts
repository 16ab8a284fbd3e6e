import type { Instant } from "../../../src/job/model/instant.ts";
import {
  type Condition,
  conditionsOf,
  JobObject,
  type PlannedJob,
  type PodEnd,
  PodObject,
  SUCCEEDS,
} from "./job-objects.ts";
import { type RecordedEvent, SECOND, stamp } from "./watch-events.ts";

/** A Pod that a Job creates after the one before it has ended. */
export interface PlannedAttempt {
  readonly node: string;
  /** How long its container runs. Infinity: until now. */
  readonly seconds: number;
  /** @default it succeeds */
  readonly end?: PodEnd;
  /** Pod garbage collection deletes it before the Job controller counts it. @default false */
  readonly isLost?: boolean;
}

/** What became of a Job. Its Pods are deleted with it. */
export interface JobLife {
  readonly events: readonly RecordedEvent[];
  /** Infinity: it has not ended. */
  readonly endedAt: Instant;
  readonly isComplete: boolean;
  readonly deletedAt: (at: Instant) => readonly RecordedEvent[];
}

interface EndedPod {
  readonly pod: PodObject;
  readonly at: Instant;
  readonly end: PodEnd;
}

/** The Job controller waits before it replaces a failed Pod, and longer each time. */
const FIRST_BACK_OFF = 10 * SECOND;
const COUNTING = SECOND;

/** The life of a Job with one completion, whose Pods run one after the other. */
export function jobLife(plan: PlannedJob, attempts: readonly PlannedAttempt[]): JobLife {
  const job = new JobObject(plan);
  const events: RecordedEvent[] = [job.event(plan.createdAt, {}, { type: "ADDED" })];
  const kept: EndedPod[] = [];
  let createdAt = plan.createdAt;
  let failed = 0;
  for (const [number, { node, seconds, end = SUCCEEDS, isLost = false }] of attempts.entries()) {
    const pod = new PodObject({ job, number, createdAt, node });
    const at = pod.startsAt + seconds * SECOND;
    const active = { startTime: stamp(plan.createdAt), active: 1, ready: 1, failed };
    events.push(pod.created(), pod.running(), job.event(pod.startsAt, active));
    if (!Number.isFinite(at)) break;
    events.push(pod.ended(at, end));
    if (end.phase === "Failed") failed += 1;
    if (isLost) events.push(...lost(plan, { pod, at, end }));
    else kept.push({ pod, at, end });
    createdAt = at + (isLost ? 2 * COUNTING : FIRST_BACK_OFF * 2 ** (failed - 1));
  }
  return ended(job, { events, kept, failed });
}

function lost({ namespace }: PlannedJob, { pod, at, end }: EndedPod): readonly RecordedEvent[] {
  const deletedAt = at + COUNTING;
  const deleted = pod.deleted(deletedAt, at, end);
  return [{ at: deletedAt, audit: deletionByPodGc(namespace, deleted.object.metadata, deletedAt) }, deleted];
}

function deletionByPodGc(
  namespace: string,
  { name, uid }: { readonly name: string; readonly uid: string },
  at: Instant,
) {
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "RequestResponse",
    auditID: `audit-${uid}`,
    stage: "ResponseComplete",
    verb: "delete",
    user: { username: "system:serviceaccount:kube-system:pod-garbage-collector" },
    objectRef: { resource: "pods", namespace, name, apiVersion: "v1" },
    responseStatus: { code: 200 },
    responseObject: { kind: "Pod", apiVersion: "v1", metadata: { name, namespace, uid } },
    requestReceivedTimestamp: stamp(at),
    stageTimestamp: stamp(at),
  };
}

interface Lived {
  readonly events: readonly RecordedEvent[];
  readonly kept: readonly EndedPod[];
  readonly failed: number;
}

function ended(job: JobObject, { events, kept, failed }: Lived): JobLife {
  const { backoffLimit, createdAt, isUntracked = false } = job.plan;
  const last = kept.at(-1);
  const isComplete = last?.end.phase === "Succeeded";
  if (last === undefined || (!isComplete && failed <= backoffLimit)) {
    return { events, endedAt: Infinity, isComplete: false, deletedAt: () => [] };
  }
  const counted = isUntracked ? [] : kept.map(({ pod, at, end }) => pod.counted(at + COUNTING, at, end));
  const endedAt = last.at + 2 * COUNTING;
  const totals = { startTime: stamp(createdAt), failed, ...(isComplete && { succeeded: 1 }) };
  const final = isUntracked ? untrackedStatus(endedAt, isComplete) : finalStatus(endedAt, isComplete);
  const status = { ...totals, ...final };
  return {
    events: [...events, ...counted, job.event(endedAt, status)],
    endedAt,
    isComplete,
    deletedAt: (at) => [
      job.event(at, status, { type: "DELETED" }),
      ...kept.map(({ pod, at: endedAt, end }) => pod.deleted(at + SECOND, endedAt, end)),
    ],
  };
}

/** The end of a Job in its status, by its back-off limit if it failed. */
export function finalStatus(at: Instant, isComplete: boolean) {
  const reason = isComplete ? "CompletionsReached" : "BackoffLimitExceeded";
  const [before, type] = isComplete ? ["SuccessCriteriaMet", "Complete"] : ["FailureTarget", "Failed"];
  const conditions: readonly Condition[] = [
    { type: before, reason, at },
    { type, reason, at },
  ];
  return { ...(isComplete && { completionTime: stamp(at) }), conditions: conditionsOf(conditions) };
}

/** Before finalizer tracking, a Job became Complete without a reason, and had no condition before that. */
function untrackedStatus(at: Instant, isComplete: boolean) {
  const condition: Condition = { ...(isComplete ? { type: "Complete" } : FAILED), at };
  return { ...(isComplete && { completionTime: stamp(at) }), conditions: conditionsOf([condition]) };
}

const FAILED = { type: "Failed", reason: "BackoffLimitExceeded" };
