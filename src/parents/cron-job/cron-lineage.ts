import type { Instant } from "../../job/model/instant.ts";
import type { JobCreated } from "../../job/model/fact.ts";

/** The owner of a Job, if it is a CronJob. */
export function cronJobOf<Owner extends { readonly kind: string }>(owner: Owner | undefined): Owner | undefined {
  return owner?.kind === "CronJob" ? owner : undefined;
}

/** The CronJob that created a Job, and the scheduled time. */
export interface CronRun {
  readonly cronJobUid: string;
  readonly cronJob: string;
  /** Absent for a manual run. */
  readonly scheduledAt?: Instant;
}

/**
 * The run of a CronJob; `undefined` for a Job that no CronJob owns (job-semantics 11). The annotation says when the run
 * was due. The Job's name says so only if there is no annotation and the Job is not marked as a manual run.
 */
export function cronRunOf(
  job: Pick<JobCreated, "name" | "createdAt" | "owner" | "scheduledAt" | "manual">,
): CronRun | undefined {
  const owner = cronJobOf(job.owner);
  if (owner === undefined) return undefined;
  const { uid, name } = owner;
  const scheduledAt = job.scheduledAt ?? (job.manual === true ? undefined : dueTimeInName(name, job));
  return { cronJobUid: uid, cronJob: name, ...(scheduledAt !== undefined && { scheduledAt }) };
}

/** A run is at most this much later than scheduled, for example after a long downtime of the control plane. */
const MAX_DELAY = 366 * 86_400_000;
/** The clocks of a cluster may differ by this much. */
const MAX_EARLY = 3_600_000;
/** The CronJob controller names a run after the minute; before 1.21, after the second. */
const UNITS = [60_000, 1_000];

/** The names that the CronJob controller may give to the run of a due time. */
export function runNames(cronJob: string, dueAt: Instant): readonly string[] {
  return UNITS.map((unit) => `${cronJob}-${dueAt / unit}`);
}

/**
 * The due time in the name of a Job, for clusters without the annotation (before 1.28). The name consists of the
 * CronJob's name, a dash and the number of minutes or seconds since 1970. A manual run such as `NAME-2` has no
 * plausible number.
 */
export function dueTimeInName(
  cronJob: string,
  { name, createdAt }: { readonly name: string; readonly createdAt: Instant },
): Instant | undefined {
  if (!name.startsWith(`${cronJob}-`)) return undefined;
  const number = name.slice(cronJob.length + 1);
  if (!/^[0-9]{1,10}$/.test(number)) return undefined;
  return UNITS.map((unit) => Number(number) * unit).find(
    (dueAt) => dueAt >= createdAt - MAX_DELAY && dueAt <= createdAt + MAX_EARLY,
  );
}
