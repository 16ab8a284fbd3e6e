import type { RunState } from "../../job/model/states.ts";
import type { CronFinding } from "../../parents/cron-job/cron-findings.ts";
import type { JobAnswer } from "../answer-document.ts";

/**
 * How urgent an entry of the attention list is, the most urgent first. `failed`: it failed for good. `atRisk`: it runs
 * or is due, and may fail. `cleanedUp`: it is over, and leaves something to clean up or to know.
 */
export const SEVERITIES = ["failed", "atRisk", "cleanedUp"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A Job with findings. `isOver`: nothing can change it any more, though its verdict may not be final. */
export function severityOfJob(
  { verdict, deletedAt }: Pick<JobAnswer, "verdict" | "deletedAt">,
  isOver: boolean,
): Severity {
  if (verdict.final && verdict.state === "Failed") return "failed";
  return verdict.final || isOver || deletedAt !== undefined ? "cleanedUp" : "atRisk";
}

/** Every Job of a run has the severity of the run. `undefined`: that of the Job itself. */
export function severityOfRun(state: RunState): Severity | undefined {
  switch (state) {
    case "Failed":
      return "failed";
    case "Pending":
    case "Queued":
    case "Running":
    case "Suspended":
      return "atRisk";
    case "Complete":
    case "Deleted":
      return "cleanedUp";
    case "Unknown":
      return undefined;
  }
}

/** A run that was missed, or failed with those before it, has failed. Later runs may still be in time. */
export function severityOfCronFinding(kind: CronFinding["kind"]): Severity {
  switch (kind) {
    case "ConsecutiveFailures":
    case "MissedRun":
      return "failed";
    case "OverlappingRun":
    case "TrendSlower":
      return "atRisk";
  }
}
