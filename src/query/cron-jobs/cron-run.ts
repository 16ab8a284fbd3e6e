import * as v from "valibot";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { amount, type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import { type Instant, parseInstant, formatInstant } from "../../job/model/instant.ts";
import { jobDuration } from "../../job/status/job-duration.ts";
import { STATES } from "../../job/model/states.ts";
import type { ObservedRun } from "../../parents/cron-job/cron-findings.ts";
import { type DueRun, UNKNOWN_RUNS } from "../../parents/cron-job/due-runs.ts";

/** One Job of a CronJob. */
export const cronRunSchema = v.object({
  name: text,
  uid: text,
  state: v.picklist(STATES),
  reason: maybe(text),
  /** The scheduled time. Absent for a manual run. */
  scheduledAt: maybe(instant),
  createdAt: instant,
  startedAt: maybe(instant),
  finishedAt: maybe(instant),
  deletedAt: maybe(instant),
  /** From the scheduled time to creation. */
  delaySeconds: maybe(amount),
  /** From start to finish. */
  durationSeconds: maybe(amount),
  attention: v.boolean(),
});
export type CronRunAnswer = AnswerOf<typeof cronRunSchema>;

/** Describes the Job of a CronJob as one of its runs. */
export function cronRun(job: JobAnswer): CronRunAnswer {
  const { name, uid, verdict, scheduledAt, createdAt, startedAt, finishedAt, deletedAt, findings } = job;
  const delay = delayOf(parseInstant(scheduledAt), parseInstant(createdAt));
  const duration = jobDuration(job);
  return {
    name,
    uid,
    state: verdict.state,
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    ...(scheduledAt !== undefined && { scheduledAt }),
    createdAt,
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(deletedAt !== undefined && { deletedAt }),
    ...(delay !== undefined && { delaySeconds: delay / 1_000 }),
    ...(duration !== undefined && { durationSeconds: duration / 1_000 }),
    attention: findings.length > 0,
  };
}

/** A run created before its scheduled time has no delay. */
function delayOf(scheduledAt: Instant | undefined, createdAt: Instant | undefined): number | undefined {
  return scheduledAt === undefined || createdAt === undefined || createdAt < scheduledAt
    ? undefined
    : createdAt - scheduledAt;
}

/** A scheduled time without a run. `skipped`: the concurrency policy is Forbid, and another run was in progress. */
export const missedRunSchema = v.object({
  dueAt: instant,
  cause: v.picklist(["skipped", "missed"]),
  /** The run because of which it was skipped. */
  during: maybe(text),
  /** The controller may still start this run, late. */
  mayStartLate: maybe(v.literal(true)),
});
export type MissedRun = AnswerOf<typeof missedRunSchema>;

/** A scheduled time of which it is unknown whether there was a run. */
export const unobservedRunSchema = v.object({ dueAt: instant, reason: v.picklist(UNKNOWN_RUNS) });
export type UnobservedRun = AnswerOf<typeof unobservedRunSchema>;

/** A run as the rules about CronJobs need it. */
export function observedRun(run: CronRunAnswer): ObservedRun {
  const { name, state, reason } = run;
  const scheduledAt = parseInstant(run.scheduledAt);
  const startedAt = parseInstant(run.startedAt);
  const endedAt = parseInstant(run.finishedAt) ?? parseInstant(run.deletedAt);
  return {
    name,
    state,
    ...(reason !== undefined && { reason }),
    createdAt: parseInstant(run.createdAt) ?? 0,
    ...(scheduledAt !== undefined && { scheduledAt }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
  };
}

/** The newest due times without a run. */
export function missedRuns(due: readonly DueRun[], most: number): readonly MissedRun[] {
  const missed = due.flatMap((one): readonly MissedRun[] => {
    const dueAt = formatInstant(one.dueAt);
    if (one.outcome === "skipped") return [{ dueAt, cause: "skipped", during: one.during }];
    if (one.outcome !== "missed") return [];
    return [{ dueAt, cause: "missed", ...(!one.final && { mayStartLate: true }) }];
  });
  return missed.toReversed().slice(0, most);
}

/** The newest due times of which it is unknown whether there was a run. */
export function unobservedRuns(due: readonly DueRun[], most: number): readonly UnobservedRun[] {
  const unobserved = due.flatMap((one) =>
    one.outcome === "unknown" ? [{ dueAt: formatInstant(one.dueAt), reason: one.reason }] : [],
  );
  return unobserved.toReversed().slice(0, most);
}
