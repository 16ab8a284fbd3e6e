import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";

/** The CronJob that made a Job, and the time it was made for. */
export interface CronRun {
  readonly cronJobUid: string;
  readonly cronJob: string;
  /** Absent where neither annotation nor name tells. */
  readonly scheduledAt?: Instant;
}

const MINUTE = 60_000;

/** The run of a CronJob that the Job is; `undefined` for a Job that no CronJob controls (job-semantics 11). */
export function cronRunOf({ created }: JobObject): CronRun | undefined {
  if (created?.owner?.kind !== "CronJob") return undefined;
  const { uid, name } = created.owner;
  const scheduledAt = created.scheduledAt ?? minuteInName(created.name, name);
  return { cronJobUid: uid, cronJob: name, ...(scheduledAt !== undefined && { scheduledAt }) };
}

/** Without the annotation (before 1.28) the name tells: the CronJob's, a dash, and the scheduled minute since 1970. */
export function minuteInName(job: string, cronJob: string): Instant | undefined {
  if (!job.startsWith(`${cronJob}-`)) return undefined;
  const minute = job.slice(cronJob.length + 1);
  return /^[0-9]{1,10}$/.test(minute) ? Number(minute) * MINUTE : undefined;
}
