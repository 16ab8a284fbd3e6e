import type { Instant } from "../model/instant.ts";
import type { JobObject } from "../model/job-record.ts";

/** The CronJob that created a Job, and the scheduled time. */
export interface CronRun {
  readonly cronJobUid: string;
  readonly cronJob: string;
  /** Absent for a manual run. */
  readonly scheduledAt?: Instant;
}

const MINUTE = 60_000;

/** The run of a CronJob; `undefined` for a Job without a CronJob as owner (job-semantics 11). */
export function cronRunOf({ created }: JobObject): CronRun | undefined {
  if (created?.owner?.kind !== "CronJob") return undefined;
  const { uid, name } = created.owner;
  const scheduledAt = created.scheduledAt ?? minuteInName(name, created);
  return { cronJobUid: uid, cronJob: name, ...(scheduledAt !== undefined && { scheduledAt }) };
}

/** A run is at most this much later than scheduled, for example after a long downtime of the control plane. */
const MAX_DELAY = 366 * 86_400_000;
/** The clocks of a cluster may differ by this much. */
const MAX_EARLY = 3_600_000;

/**
 * The scheduled time in the name of a Job, for clusters without the annotation (before 1.28). The name consists of the
 * CronJob's name, a dash and the scheduled minute since 1970. A manual run such as `NAME-2` has no plausible minute.
 */
export function minuteInName(
  cronJob: string,
  { name, createdAt }: { readonly name: string; readonly createdAt: Instant },
): Instant | undefined {
  if (!name.startsWith(`${cronJob}-`)) return undefined;
  const minute = name.slice(cronJob.length + 1);
  if (!/^[0-9]{1,10}$/.test(minute)) return undefined;
  const scheduledAt = Number(minute) * MINUTE;
  const isPlausible = scheduledAt >= createdAt - MAX_DELAY && scheduledAt <= createdAt + MAX_EARLY;
  return isPlausible ? scheduledAt : undefined;
}
