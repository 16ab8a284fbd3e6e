import { reportedTotal } from "../accounting/reported-total.ts";
import type { JobFinished } from "../model/fact.ts";
import type { JobObject } from "../model/job-record.ts";
import type { JobSpec } from "../model/job-spec.ts";
import { isPodFailurePolicy } from "../status/conditions.ts";
import { isLeftAlone } from "../status/managed-by.ts";

/** An end that the Job controller cannot have written, according to the Job's spec and counters. */
export type ImpossibleEnd =
  | { readonly contradiction: "completeBelow"; readonly succeeded: number; readonly completions: number }
  /** The reason names a limit that the spec does not have. */
  | { readonly contradiction: "withoutLimit"; readonly reason: string; readonly field: string }
  | { readonly contradiction: "belowBackoffLimit"; readonly failed: number; readonly backoffLimit: number };

export interface EndContext {
  readonly job: JobObject;
  readonly spec: JobSpec;
  readonly isTracked: boolean;
}

/** Another controller may end its Jobs by any rule. */
export function impossibleEnds(context: EndContext): readonly ImpossibleEnd[] {
  const { job, spec } = context;
  if (job.specified === undefined || job.reported === undefined || isLeftAlone(spec)) return [];
  return [...completeBelow(context), ...withoutLimit(context), ...belowBackoffLimit(context)];
}

/** Without an index, a tracked Job is Complete only with as many successes as `completions`, which never changes. */
function completeBelow({ job, spec, isTracked }: EndContext): readonly ImpossibleEnd[] {
  if (!isTracked || spec.completionMode === "Indexed" || stands(job, job.complete) === undefined) return [];
  const { completions = 0 } = spec;
  const succeeded = job.reported?.status.succeeded ?? 0;
  return succeeded >= completions ? [] : [{ contradiction: "completeBelow", succeeded, completions }];
}

/** The fields of the spec that the reasons of a failure need. */
const NEEDED: ReadonlyMap<string, keyof JobSpec> = new Map([
  ["DeadlineExceeded", "activeDeadlineSeconds"],
  ["MaxFailedIndexesExceeded", "maxFailedIndexes"],
  ["FailedIndexes", "backoffLimitPerIndex"],
]);

function withoutLimit({ job }: EndContext): readonly ImpossibleEnd[] {
  const { reason = "" } = stands(job, job.failed)?.condition ?? {};
  const field = isPodFailurePolicy(reason) ? "podFailurePolicy" : NEEDED.get(reason);
  if (field === undefined || specsOf(job).some((spec) => spec[field] !== undefined)) return [];
  return [{ contradiction: "withoutLimit", reason, field }];
}

/**
 * Whether the failures are below the limit. For Pods that are restarted in place, restarts count too, and no counter
 * has them.
 */
function belowBackoffLimit({ job, spec, isTracked }: EndContext): readonly ImpossibleEnd[] {
  const { reported } = job;
  if (!isTracked || spec.restartPolicy !== "Never" || reported === undefined) return [];
  if (stands(job, job.failed)?.condition.reason !== "BackoffLimitExceeded") return [];
  const failed = reportedTotal(reported.status, "failed");
  const backoffLimit = Math.min(...specsOf(job).map((known) => known.backoffLimit));
  return failed > backoffLimit ? [] : [{ contradiction: "belowBackoffLimit", failed, backoffLimit }];
}

/** The end, if the latest report still has it. An end that disappeared is another contradiction. */
function stands({ reported }: JobObject, end: JobFinished | undefined): JobFinished | undefined {
  if (end === undefined || reported === undefined) return undefined;
  const { type } = end.condition;
  return reported.status.conditions.some((one) => one.type === type && one.status === "True") ? end : undefined;
}

/** Every observed version of the spec: a limit may have been changed after it was reached. */
function specsOf({ specified }: JobObject): readonly JobSpec[] {
  return [...(specified?.values() ?? [])].map(({ spec }) => spec);
}
