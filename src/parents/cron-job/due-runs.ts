import type { GapRecorded } from "../../job/model/fact.ts";
import type { Instant } from "../../job/model/instant.ts";
import { isSilent } from "../../job/status/silence.ts";
import { type CronPlan, type PlannedTime, plannedTimes } from "./cron-plan.ts";

/** A Job of the CronJob. */
export interface CronJobRun {
  readonly name: string;
  /** Absent for a manual run. */
  readonly scheduledAt?: Instant;
  readonly createdAt: Instant;
  /** When the run finished or was deleted. Absent while it is in progress. */
  readonly endedAt?: Instant;
}

/** The outcome of a time when a CronJob had to run. */
export type DueRun = { readonly dueAt: Instant } & (
  | { readonly outcome: "ran" }
  /** The concurrency policy is Forbid, and the run `during` was in progress. */
  | { readonly outcome: "skipped"; readonly during: string }
  /** There was no run, and the time was observed. `final`: the controller will no longer start it. */
  | { readonly outcome: "missed"; readonly final: boolean; readonly startingDeadlineSeconds?: number }
  /** The run may still arrive. */
  | { readonly outcome: "pending" }
  | { readonly outcome: "unknown"; readonly reason: UnknownRun }
);

/** Why it is unknown whether there was a run: the time was not observed, or the CronJob was changed just then. */
export const UNKNOWN_RUNS = ["beforeFirstObservation", "gap", "silence", "changed"] as const;
export type UnknownRun = (typeof UNKNOWN_RUNS)[number];

/** The observation of a cluster. */
export interface Observation {
  /** The latest data from the cluster. */
  readonly heardAt: Instant;
  readonly gaps: readonly Pick<GapRecorded, "from" | "to" | "resources">[];
  readonly now: Instant;
}

export interface DueRange extends Observation {
  /** Exclusive. */
  readonly after: Instant;
  /** The most times, the earliest of them. */
  readonly limit: number;
  /** How long after its due time a run may appear. @default GRACE_MILLIS */
  readonly graceMillis?: number;
}

/** The controller starts a run within seconds, and segments take some time. */
export const GRACE_MILLIS = 120_000;

/**
 * The outcome of each due time after `after`. A time that was not observed is never reported as missed. `runs` must
 * contain the runs created since `after` and, for policy Forbid, those in progress at that time.
 */
export function dueRuns(plan: CronPlan, runs: readonly CronJobRun[], range: DueRange): readonly DueRun[] {
  const { after, now, limit } = range;
  const planned = plannedTimes(plan, { after, until: now, limit });
  const ranAt = new Set([plan.lastScheduledAt, ...runs.map(({ scheduledAt }) => scheduledAt)]);
  return planned.map((time, index) => {
    if (ranAt.has(time.at)) return { dueAt: time.at, outcome: "ran" };
    const unknown = unknownReason(time, plan, range);
    if (unknown !== undefined) return { dueAt: time.at, ...unknown };
    return withoutRun(time, { runs, nextAt: planned[index + 1]?.at, range });
  });
}

type Undecided = { readonly outcome: "pending" } | { readonly outcome: "unknown"; readonly reason: UnknownRun };

/** Why it is unknown whether there was a run at a time. */
function unknownReason({ at, span }: PlannedTime, { observedFrom }: CronPlan, range: DueRange): Undecided | undefined {
  const { heardAt, gaps, now, graceMillis = GRACE_MILLIS } = range;
  const decidedAt = at + graceMillis;
  if (at <= observedFrom) return unknown("beforeFirstObservation");
  if (gaps.some(({ from, to, resources }) => from <= decidedAt && to >= at && hidesRuns(resources))) {
    return unknown("gap");
  }
  if (span.to !== undefined && span.to < decidedAt) return unknown("changed");
  if (heardAt >= decidedAt) return undefined;
  return now > decidedAt && isSilent(heardAt, now) ? unknown("silence") : { outcome: "pending" };
}

function unknown(reason: UnknownRun): Undecided {
  return { outcome: "unknown", reason };
}

/** Whether a gap may hide a run or a change of the CronJob. A gap for Pods or Nodes does not. */
function hidesRuns(resources: readonly string[]): boolean {
  return (
    resources.length === 0 || resources.some((resource) => /^(jobs?|cronjobs?|\*)$/i.test(resource.split(".")[0] ?? ""))
  );
}

interface WithoutRun {
  readonly runs: readonly CronJobRun[];
  readonly nextAt: Instant | undefined;
  readonly range: DueRange;
}

function withoutRun({ at, span }: PlannedTime, { runs, nextAt, range }: WithoutRun): DueRun {
  const during = span.concurrencyPolicy === "Forbid" ? runs.find((run) => isInProgress(run, at)) : undefined;
  if (during !== undefined) return { dueAt: at, outcome: "skipped", during: during.name };
  const { startingDeadlineSeconds } = span;
  // The controller starts the latest due time only, and none after its deadline.
  const deadline = startingDeadlineSeconds === undefined ? Infinity : at + startingDeadlineSeconds * 1_000;
  const lastStartAt = Math.min(nextAt ?? Infinity, deadline);
  const final = lastStartAt + (range.graceMillis ?? GRACE_MILLIS) <= range.heardAt;
  return {
    dueAt: at,
    outcome: "missed",
    final,
    ...(startingDeadlineSeconds !== undefined && { startingDeadlineSeconds }),
  };
}

function isInProgress({ createdAt, endedAt = Infinity }: CronJobRun, at: Instant): boolean {
  return createdAt <= at && at < endedAt;
}
