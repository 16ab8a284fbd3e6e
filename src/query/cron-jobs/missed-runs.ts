import * as v from "valibot";
import { type AnswerOf, instant, maybe, text } from "../../explain/answer-parts.ts";
import { formatInstant, parseInstant } from "../../job/model/instant.ts";
import type { ObservedRun } from "../../parents/cron-job/cron-findings.ts";
import { type DueRun, UNKNOWN_RUNS } from "../../parents/cron-job/due-runs.ts";
import type { CronRunAnswer } from "./cron-run.ts";

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
  const { name, state } = run;
  const scheduledAt = parseInstant(run.scheduledAt);
  const startedAt = parseInstant(run.startedAt);
  const endedAt = parseInstant(run.finishedAt) ?? parseInstant(run.deletedAt);
  return {
    name,
    state,
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
