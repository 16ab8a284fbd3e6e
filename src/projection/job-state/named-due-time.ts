import type { StoredSummary } from "./stored-summary.ts";
import { formatInstant, parseInstant } from "../../job/model/instant.ts";
import { cronJobOf, dueTimeInName } from "../../parents/cron-job/cron-lineage.ts";

/** Marks in a stored summary that the name of a manual run looks like a due time. */
const NONE = "";

/**
 * The summary as it is stored. It omits a due time that follows from the Job's name, as for every run that the CronJob
 * controller creates, so that it is as short as in releases without due times.
 */
export function withoutNamedDueTime(answer: StoredSummary): StoredSummary {
  const { scheduledAt, ...others } = answer;
  if (scheduledAt === namedDueTime(answer)) return others;
  return scheduledAt === undefined ? { ...answer, scheduledAt: NONE } : answer;
}

/**
 * The inverse of {@link withoutNamedDueTime}. Summaries of earlier releases contain no due time, so it is taken from
 * the name.
 */
export function withNamedDueTime(stored: StoredSummary): StoredSummary {
  const { scheduledAt = namedDueTime(stored), ...answer } = stored;
  return scheduledAt === undefined || scheduledAt === NONE ? answer : { ...answer, scheduledAt };
}

function namedDueTime({ owner, name, createdAt }: StoredSummary): string | undefined {
  const created = parseInstant(createdAt);
  const cronJob = cronJobOf(owner);
  if (cronJob === undefined || created === undefined) return undefined;
  const dueAt = dueTimeInName(cronJob.name, { name, createdAt: created });
  return dueAt === undefined ? undefined : formatInstant(dueAt);
}
