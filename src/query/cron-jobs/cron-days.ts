import * as v from "valibot";
import { type AnswerOf, count, text } from "../../explain/answer-parts.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import type { DueRun } from "../../parents/cron-job/due-runs.ts";
import type { CronRunAnswer } from "./cron-run.ts";

/** Counts of one calendar day in the requested time zone. */
export const cronDaySchema = v.object({
  day: text,
  /** Scheduled times. */
  expected: count,
  runs: count,
  complete: count,
  failed: count,
  /** Scheduled times without a run, as far as they were observed. */
  missed: count,
  /** Scheduled times without a run because another run was in progress (concurrencyPolicy Forbid). */
  skipped: count,
  /** Scheduled times that were not observed. */
  unknown: count,
});
export type CronDay = AnswerOf<typeof cronDaySchema>;

export interface CronTimes {
  /** What became of the scheduled times. */
  readonly due: readonly DueRun[];
  readonly runs: readonly CronRunAnswer[];
}

const MINUTE_MILLIS = 60_000;

/** Counts by day, in order, for days that have any. `dayOf` returns the name of a day; names must sort like days. */
export function cronDays({ due, runs }: CronTimes, dayOf: (at: Instant) => string): readonly CronDay[] {
  const days = new Map<string, CronDay>();
  const add = (at: Instant, counts: Partial<Omit<CronDay, "day">>): void => {
    const day = dayOf(at);
    days.set(day, sum(days.get(day) ?? { day, ...NONE }, counts));
  };
  for (const { dueAt, outcome } of due) add(dueAt, { expected: 1, ...COUNTED_AS[outcome] });
  for (const run of runs) add(minuteOf(run), countsOf(run));
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

const NONE: Omit<CronDay, "day"> = {
  expected: 0,
  runs: 0,
  complete: 0,
  failed: 0,
  missed: 0,
  skipped: 0,
  unknown: 0,
};

/** Runs are counted by themselves, as manual ones have no scheduled time. */
const COUNTED_AS: Readonly<Record<DueRun["outcome"], Partial<CronDay>>> = {
  ran: {},
  pending: {},
  missed: { missed: 1 },
  skipped: { skipped: 1 },
  unknown: { unknown: 1 },
};

function sum(known: CronDay, counts: Partial<Omit<CronDay, "day">>): CronDay {
  return {
    day: known.day,
    expected: known.expected + (counts.expected ?? 0),
    runs: known.runs + (counts.runs ?? 0),
    complete: known.complete + (counts.complete ?? 0),
    failed: known.failed + (counts.failed ?? 0),
    missed: known.missed + (counts.missed ?? 0),
    skipped: known.skipped + (counts.skipped ?? 0),
    unknown: known.unknown + (counts.unknown ?? 0),
  };
}

function minuteOf({ scheduledAt, createdAt }: CronRunAnswer): Instant {
  const at = parseInstant(scheduledAt ?? createdAt) ?? 0;
  return Math.floor(at / MINUTE_MILLIS) * MINUTE_MILLIS;
}

function countsOf({ state }: CronRunAnswer): Pick<CronDay, "runs" | "complete" | "failed"> {
  return { runs: 1, complete: state === "Complete" ? 1 : 0, failed: state === "Failed" ? 1 : 0 };
}
