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
 * What a Job object says about how its Pods are counted. Nothing in it changes with the Job's daily status, so that
 * sums over its Pods stay valid.
 */
export interface CountingRules {
  readonly tracking: Tracking;
  /** The Job's; Pods elsewhere are not its own (own-pod.ts). */
  readonly namespace?: string;
  /** Pods that are older were adopted. */
  readonly jobCreatedAt?: Instant;
  /** Some status was reported: a Pod whose end was already accounted for at first observation is in it. */
  readonly reported: boolean;
  /** Present in Indexed mode: the indexes below count. Absent: every Pod counts. */
  readonly completions?: number;
  /** Of an elastic Job that was resized: the sizes that its Pods' indexes were held against in their time. */
  readonly sizes: readonly Size[];
  readonly cuts: readonly SizeCut[];
  readonly mode: ReplacementMode;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly backoffLimitPerIndex?: number;
  /** A success policy may take Pods away that still run: they are void, not failed. */
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

/**
 * The rules as text: while it stays the same, a kept tally of the Job's Pods stays valid; when it changes, every Pod
 * must be tallied again.
 */
export function tallyRulesOf(job: JobObject, evidence: TrackingEvidence): string {
  return canonical(countingRulesOf(job, evidence));
}
