import * as v from "valibot";
import type { JobAnswer } from "../../explain/answer-document.ts";
import { amount, type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { jobDuration } from "../../job/status/job-duration.ts";
import { STATES } from "../../job/model/states.ts";

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
