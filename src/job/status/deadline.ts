import type { Instant } from "../model/instant.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { ReportedStatus } from "../model/reported-status.ts";
import { isSuspendedReported } from "./suspension.ts";

/**
 * Whether `activeDeadlineSeconds` has passed since the reported `startTime` (job-semantics 10). While the Job is still
 * reported as suspended, the deadline counts as not passed, because the controller is about to reset `startTime`.
 */
export function isPastDeadline(
  { activeDeadlineSeconds, suspend }: Pick<JobSpec, "activeDeadlineSeconds" | "suspend">,
  reported: Pick<ReportedStatus, "startTime" | "conditions"> | undefined,
  now: Instant,
): boolean {
  if (activeDeadlineSeconds === undefined || suspend || reported?.startTime === undefined) return false;
  return !isSuspendedReported(reported) && now - reported.startTime >= activeDeadlineSeconds * 1000;
}
