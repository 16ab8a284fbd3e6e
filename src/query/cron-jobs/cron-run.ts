import type { JobAnswer } from "../../explain/answer-document.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { jobDuration } from "../../job/status/job-duration.ts";
import type { State } from "../../job/model/states.ts";

/** One Job of a CronJob. */
export interface CronRunAnswer {
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  readonly reason?: string;
  /** The scheduled time. Absent for a manual run. */
  readonly scheduledAt?: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly deletedAt?: string;
  /** Seconds from the scheduled time to creation. */
  readonly delaySeconds?: number;
  /** Seconds from start to finish. */
  readonly durationSeconds?: number;
  readonly attention: boolean;
}

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
