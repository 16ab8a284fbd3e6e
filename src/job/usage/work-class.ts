import { countedAs, ledgerOf } from "../accounting/ledger.ts";
import type { CountingRules } from "../accounting/counting-rules.ts";
import type { Attribution, DeletionCause } from "../attribution/attribution.ts";
import { attributePodDeletion } from "../attribution/pod-deletion.ts";
import { isTakenByVerdict } from "../attribution/pod-deletion-by-job.ts";
import { causeOfPod, type CauseContext } from "../cause/cause-of-pod.ts";
import { responsibilityOfDeleter } from "../cause/deletion-responsibility.ts";
import { type Responsibility, responsibilityOf } from "../cause/responsibility.ts";
import { compareOrder } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { restartsOf } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { endingsOf } from "../status/job-ending.ts";
import type { PodReservation } from "./pod-reservation.ts";
import type { SumClass } from "./usage.ts";

export interface WorkContext extends CauseContext {
  readonly rules: CountingRules;
}

/** `success`: kept or duplicate, which depends on the other successes of the Job. */
export type WorkClass = SumClass | "success";

/** What became of the work of a Pod. */
export function workClassOf(pod: PodRecord, reservation: PodReservation, context: WorkContext): WorkClass {
  if (!reservation.isOver) return "active";
  const wasStopped = isStopped(pod, reservation);
  if (firstEnd(pod)?.phase === "Succeeded" && (!wasStopped || isCountedSuccess(pod, context))) return "success";
  return wasStopped ? classOfStop(pod, context) : classOfFailure(pod, context);
}

/** Whether it was deleted while it ran: its deletion was requested before its work ended. */
function isStopped(pod: PodRecord, { doneAt }: PodReservation): boolean {
  const { deletionRequested: request } = pod;
  if (request === undefined) return false;
  const end = firstEnd(pod);
  return end === undefined || compareOrder(request, end) < 0 || request.requestedAt < doneAt;
}

function isCountedSuccess(pod: PodRecord, { rules }: WorkContext): boolean {
  return countedAs(ledgerOf(pod, rules)) === "succeeded";
}

function classOfFailure(pod: PodRecord, context: WorkContext): SumClass {
  const why = causeOfPod(pod, context);
  if (why === undefined) return "unknown";
  const deletion = attributePodDeletion(pod, context.job, context.clusterContext);
  return classOfResponsible(
    responsibilityOf(why, { hadNode: true, ...(deletion && { deletion: responsibilityOfDeleter(deletion) }) }),
  );
}

function classOfResponsible({ responsible }: Pick<Responsibility, "responsible">): SumClass {
  switch (responsible) {
    case "program":
      return "failed";
    case "configuration":
      return "failedByConfiguration";
    case "limit":
      return "failedByLimit";
    case "platform":
      return "interrupted";
    case "person":
      return "cancelled";
    case "unknown":
      return "unknown";
  }
}

function classOfStop(pod: PodRecord, context: WorkContext): SumClass {
  const deletion = attributePodDeletion(pod, context.job, context.clusterContext);
  if (isTakenByVerdict(pod, context.job)) return classOfVerdict(pod, context);
  return deletion === undefined ? "unknown" : classOfDeletion(deletion, pod, context);
}

/** The Job ended and took its running Pods with it. */
function classOfVerdict(pod: PodRecord, { job }: WorkContext): SumClass {
  const reason = endingsOf(job).find(({ type }) => type === "FailureTarget" || type === "Failed")?.reason;
  if (reason === "DeadlineExceeded") return "failedByLimit";
  return reason === "BackoffLimitExceeded" && restartsOf(pod) > 0 ? "failed" : "cancelled";
}

function classOfDeletion({ cause }: Attribution, pod: PodRecord, context: WorkContext): SumClass {
  if (cause.cause === "jobFailed" || cause.cause === "jobComplete") return classOfVerdict(pod, context);
  return WITH_THE_JOB.has(cause.cause) ? "cancelled" : classOfResponsible(responsibilityOfDeleter({ cause }));
}

/** The Job was deleted, suspended or scaled down. */
const WITH_THE_JOB: ReadonlySet<DeletionCause["cause"]> = new Set([
  "jobDeleted",
  "jobBeingDeleted",
  "jobSuspended",
  "suspendedOrScaledDown",
  "notNeeded",
]);
