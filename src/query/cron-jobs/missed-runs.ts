import { dueTimes, parseCronSchedule } from "../../job/schedule/cron-schedule.ts";
import { formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import { isTimeZone } from "../../job/schedule/local-time.ts";
import type { CronJobAnswer } from "./cron-jobs.ts";
import type { CronRunAnswer } from "./cron-run.ts";

/** A scheduled time without a run. `skipped`: the concurrency policy is Forbid, and another run was in progress. */
export interface MissedRun {
  readonly dueAt: string;
  readonly cause: "skipped" | "missed";
}

/** More than every minute of a month. */
const MAX_DUE = 50_000;
/** The controller checks every ten seconds, and segments take some time. A more recent run may still arrive. */
const GRACE_MILLIS = 120_000;

/** The scheduled times of a CronJob, by its last observed schedule. A suspended CronJob has none after its last run. */
export function dueOf(
  cronJob: CronJobAnswer | undefined,
  { from, now }: { readonly from: Instant; readonly now: Instant },
): readonly Instant[] {
  if (cronJob?.schedule === undefined) return [];
  const schedule = parseCronSchedule(cronJob.schedule);
  const { createdAt, timeZone = "UTC" } = cronJob;
  if (schedule === undefined || !isTimeZone(timeZone)) return [];
  const after = Math.max(from, parseInstant(createdAt) ?? from);
  return dueTimes(schedule, { after, until: endOf(cronJob, { after, now }), timeZone, limit: MAX_DUE });
}

/** Until when a CronJob was due to run: its deletion, its last run before its suspension, or recently. */
function endOf(
  { deletedAt, suspend, lastScheduledAt }: CronJobAnswer,
  { after, now }: { readonly after: Instant; readonly now: Instant },
): Instant {
  const end = suspend === true ? (parseInstant(lastScheduledAt) ?? after) : now - GRACE_MILLIS;
  return Math.min(end, parseInstant(deletedAt) ?? end);
}

/** The scheduled times without a run. */
export function missedOf(due: readonly Instant[], runs: readonly CronRunAnswer[]): readonly Instant[] {
  const made = new Set(runs.map(({ scheduledAt }) => parseInstant(scheduledAt)));
  return due.filter((at) => !made.has(at));
}

/** Why there is no run at each missed time. Compares each time with each run, so pass only the times to show. */
export function missedRuns(
  missed: readonly Instant[],
  runs: readonly CronRunAnswer[],
  { cronJob, now }: { readonly cronJob: CronJobAnswer | undefined; readonly now: Instant },
): readonly MissedRun[] {
  const spans = cronJob?.concurrencyPolicy === "Forbid" ? runs.map((run) => spanOf(run, now)) : [];
  return missed.map((at) => ({
    dueAt: formatInstant(at),
    cause: spans.some(({ from, to }) => from <= at && at < to) ? "skipped" : "missed",
  }));
}

interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

function spanOf({ createdAt, finishedAt }: CronRunAnswer, now: Instant): Span {
  return { from: parseInstant(createdAt) ?? now, to: parseInstant(finishedAt) ?? now };
}
