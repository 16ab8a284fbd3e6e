import { dueTimes, parseCronSchedule } from "../../job/schedule/cron-schedule.ts";
import { formatInstant, type Instant, parseInstant } from "../../job/model/instant.ts";
import { isTimeZone } from "../../job/schedule/local-time.ts";
import type { CronJobAnswer } from "./cron-jobs.ts";
import type { CronRunAnswer } from "./cron-run.ts";

/** A time the schedule was due and no run was made for. `skipped`: another run was going on, and the policy forbids two. */
export interface MissedRun {
  readonly dueAt: string;
  readonly cause: "skipped" | "missed";
}

/** Every minute for a month, and a little more. */
const MAX_DUE = 50_000;
/** The controller looks every ten seconds, and a segment takes some: what was due less long ago may still come. */
const GRACE_MILLIS = 120_000;

/** When it was due in its life, by the schedule that was seen last. A suspended one is due no more. */
export function dueOf(
  cronJob: CronJobAnswer | undefined,
  { from, now }: { readonly from: Instant; readonly now: Instant },
): readonly Instant[] {
  const schedule = cronJob?.schedule === undefined ? undefined : parseCronSchedule(cronJob.schedule);
  if (cronJob === undefined || schedule === undefined) return [];
  const { createdAt, deletedAt, suspend, lastScheduledAt, timeZone = "UTC" } = cronJob;
  if (!isTimeZone(timeZone)) return [];
  const after = Math.max(from, parseInstant(createdAt) ?? from);
  const end = suspend === true ? (parseInstant(lastScheduledAt) ?? after) : now - GRACE_MILLIS;
  return dueTimes(schedule, { after, until: Math.min(end, parseInstant(deletedAt) ?? end), timeZone, limit: MAX_DUE });
}

/** Those of the times due that no run was made for. */
export function missedOf(due: readonly Instant[], runs: readonly CronRunAnswer[]): readonly Instant[] {
  const made = new Set(runs.map(({ scheduledAt }) => parseInstant(scheduledAt)));
  return due.filter((at) => !made.has(at));
}

/** Why nothing ran at each of the times `missed`. Each is held against each run: ask of as many as are shown. */
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
