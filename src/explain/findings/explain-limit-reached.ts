import type {
  FailedIndexes,
  JobLimit,
  LimitReached,
  LimitReachedShows,
  PodDeadline,
} from "../../job/findings/find-limit-reached.ts";
import { durationText } from "../../text/duration-text.ts";
import { count, list } from "../../text/sentence.ts";
import { indexesText } from "../headline/limit-clause.ts";
import { describePodEnd } from "../pod-end-text.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainLimitReached: Explain<LimitReached> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  // The remedies come from the cause of the attempts: raising a limit helps against few causes.
  remedies: [],
});

function messageOf(finding: LimitReached): string {
  switch (finding.ended) {
    case "job": {
      const podDeadline = finding.podDeadline === undefined ? "" : `; ${podDeadlineText(finding.podDeadline)}`;
      return `${limitText(finding.limit)}${podDeadline}.`;
    }
    case "pods":
      return `${podDeadlineText(finding.podDeadline)} (${listPods(finding)}).`;
  }
}

function limitText(limit: JobLimit): string {
  switch (limit.limit) {
    case "activeDeadlineSeconds":
      return deadlineText(limit);
    case "backoffLimitByPods":
      return (
        `The back-off limit ended the Job, by Pods: ${count(limit.failedPods, "Pod")} failed, ` +
        `${backOffText(limit)}${takenText(limit.takenPods)}`
      );
    case "backoffLimitByRestarts":
      return (
        `The back-off limit ended the Job, by restarts in place: ` +
        `${count(limit.restarts, "restart")}, ${backOffText(limit)}; ` +
        "restarts do not show in status.failed, and the Pod was removed with its logs"
      );
    case "podFailurePolicy":
      return policyText(limit);
    case "maxFailedIndexes":
      return (
        `maxFailedIndexes (${limit.maxFailedIndexes}) ended the Job: ` +
        `${indexesText(limit.failedIndexes, limit.failedCount)} had failed for good${byRuleText(limit)}` +
        takenText(limit.takenPods)
      );
    case "backoffLimitPerIndex":
      return perIndexText(limit);
    case "other":
      return otherText(limit);
  }
}

function policyText(limit: Extract<JobLimit, { limit: "podFailurePolicy" }>): string {
  const { message, rule, backoffLimit, takenPods } = limit;
  const matched = rule === undefined ? "a FailJob rule matched" : `its FailJob rule at index ${rule} matched`;
  return (
    `The pod failure policy ended the Job: ${message ?? matched}; backoffLimit (${backoffLimit}) did not apply` +
    takenText(takenPods)
  );
}

function perIndexText(limit: Extract<JobLimit, { limit: "backoffLimitPerIndex" }>): string {
  const { failedIndexes, failedCount, backoffLimitPerIndex, byRule, takenPods } = limit;
  const which = indexesText(failedIndexes, failedCount);
  const how =
    byRule.length === 0
      ? `${which} failed more often than backoffLimitPerIndex (${backoffLimitPerIndex}) allows`
      : `${which} failed for good${byRuleText(limit)}; backoffLimitPerIndex is ${backoffLimitPerIndex}`;
  return `The limit per index failed the Job: ${how}; the others are done${takenText(takenPods)}`;
}

function byRuleText({ byRule }: FailedIndexes): string {
  const texts = byRule.map(
    ({ rule, indexes, count: many }) =>
      `the FailIndex rule at index ${rule} of podFailurePolicy failed ${indexesText(indexes, many)}`,
  );
  return texts.length === 0 ? "" : `; ${list(texts)}`;
}

function otherText({ reason, message }: Extract<JobLimit, { limit: "other" }>): string {
  return `The Job failed (${reason ?? "no reason given"})${message === undefined ? "" : `: ${message}`}`;
}

function deadlineText(limit: Extract<JobLimit, { limit: "activeDeadlineSeconds" }>): string {
  const { seconds, ranMillis, failedPods, takenPods, backoffLimit } = limit;
  const ran = ranMillis === undefined ? "" : `, ${durationText(ranMillis)} after its start`;
  const value = seconds === undefined ? "" : ` (${seconds} s)`;
  return (
    `The Job's activeDeadlineSeconds${value} ended it${ran}; backoffLimit (${backoffLimit}) was not reached: ` +
    `${failedPods === 0 ? "no Pod" : count(failedPods, "Pod")} had failed before` +
    takenText(takenPods, failedPods > 0 ? "more Pod" : "Pod")
  );
}

/** Pods that were deleted because the Job had ended: Kubernetes counts them as failed, too. */
function takenText(pods: number, noun = "more Pod"): string {
  if (pods === 0) return "";
  const were = pods === 1 ? "was" : "were";
  return `; ${count(pods, noun)} ${were} deleted with the Job's end, counted as failed too`;
}

function backOffText({
  backoffLimit,
  deadline,
}: Extract<JobLimit, { limit: "backoffLimitByPods" | "backoffLimitByRestarts" }>): string {
  if (deadline === undefined) return `backoffLimit (${backoffLimit})`;
  const stood = durationText(deadline.ranMillis);
  return (
    `backoffLimit (${backoffLimit}); the Job's activeDeadlineSeconds (${deadline.seconds} s) had not ` +
    `run out, it stood at ${stood}`
  );
}

function podDeadlineText({ pods, seconds, jobSeconds }: PodDeadline): string {
  const value = seconds === undefined ? "" : ` (${seconds} s)`;
  const jobs = jobSeconds === undefined ? "which is not the Job's: that has none" : `not the Job's (${jobSeconds} s)`;
  return `${count(pods, "Pod")} ran into the Pod's own activeDeadlineSeconds${value}, ${jobs}`;
}

function describeShown(shows: LimitReachedShows): string {
  switch (shows.what) {
    case "podEnded":
      return describePodEnd(shows);
    case "jobCondition":
      return `was reported ${shows.type} (${shows.reason ?? "no reason"})`;
  }
}
