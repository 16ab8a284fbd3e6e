import { canonical } from "../model/canonical.ts";
import { currentSpec } from "../model/current-spec.ts";
import { type Size, sizeChanges, sizeCuts, type SizeCut } from "./elastic-size.ts";
import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";
import type { PodFailurePolicy } from "../model/job-spec.ts";
import { isLeftAlone } from "../status/managed-by.ts";
import { type ReplacementMode, replacementMode } from "../status/replacement-mode.ts";
import { type Tracking, type TrackingEvidence, trackingOf } from "./tracking.ts";

/**
 * How the Pods of a Job are counted, by the Job object. The rules do not depend on the counters of its status, so that
 * sums over its Pods stay valid when these change.
 */
export interface CountingRules {
  readonly tracking: Tracking;
  /** The namespace of the Job. Pods in another namespace are not its own (own-pod.ts). */
  readonly namespace?: string;
  /** When the Job was created. Pods created earlier were adopted. */
  readonly jobCreatedAt?: Instant;
  /** A status was reported: it includes the Pods that were accounted for before their end was observed. */
  readonly reported: boolean;
  /** Present in Indexed mode: only indexes below it count. Absent: every Pod counts. */
  readonly completions?: number;
  /** The sizes of an elastic Job that was scaled. A Pod's index is compared with the size at the time of its end. */
  readonly sizes: readonly Size[];
  readonly cuts: readonly SizeCut[];
  readonly mode: ReplacementMode;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly backoffLimitPerIndex?: number;
  /** With a success policy, the controller may delete running Pods: they are void, not failed. */
  readonly successPolicy: boolean;
}

export function countingRulesOf(job: JobObject, evidence: TrackingEvidence): CountingRules {
  const spec = currentSpec(job);
  const rules = {
    tracking: trackingOf(job, evidence),
    ...(job.created !== undefined && { namespace: job.created.namespace, jobCreatedAt: job.created.createdAt }),
    reported: job.reported !== undefined,
    cuts: sizeCuts(job),
    sizes: sizeChanges(job),
  };
  if (spec === undefined || isLeftAlone(spec)) return { ...rules, mode: "eager", successPolicy: false };
  const { podFailurePolicy, backoffLimitPerIndex } = spec;
  return {
    ...rules,
    ...(spec.completionMode === "Indexed" && { completions: spec.completions ?? 0 }),
    mode: replacementMode(spec),
    ...(podFailurePolicy !== undefined && { podFailurePolicy }),
    ...(backoffLimitPerIndex !== undefined && { backoffLimitPerIndex }),
    successPolicy: spec.successPolicy !== undefined,
  };
}

/** The rules as text. A stored tally of the Job's Pods is valid as long as the text does not change. */
export function tallyRulesOf(job: JobObject, evidence: TrackingEvidence): string {
  return canonical(countingRulesOf(job, evidence));
}
