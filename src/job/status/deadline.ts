import type { Instant } from "../model/instant.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { ReportedStatus } from "../model/reported-status.ts";
import { isSuspendedReported } from "./suspension.ts";

/**
 * Whether `activeDeadlineSeconds` has passed (job-semantics 10). It counts from the reported `startTime`: only the
 * controller's clock knows it. A Job that is still reported as suspended is about to get a new startTime, so the old
 * one says nothing.
 */
export function isPastDeadline(
  { activeDeadlineSeconds, suspend }: Pick<JobSpec, "activeDeadlineSeconds" | "suspend">,
  reported: Pick<ReportedStatus, "startTime" | "conditions"> | undefined,
  now: Instant,
): boolean {
  if (activeDeadlineSeconds === undefined || suspend || reported?.startTime === undefined) return false;
  return !isSuspendedReported(reported) && now - reported.startTime >= activeDeadlineSeconds * 1000;
}
