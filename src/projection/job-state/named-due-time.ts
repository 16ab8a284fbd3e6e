import type { JobAnswer } from "../../explain/answer-document.ts";
import { formatInstant, parseInstant } from "../../job/model/instant.ts";
import { dueTimeInName } from "../../job/schedule/cron-lineage.ts";

/** In a stored summary: the name of a manual run looks like a due time. */
const NONE = "";

/**
 * The summary as it is stored: without the due time if the name has it, as of each run that the CronJob controller
 * creates. Such a summary is as long as before due times were stored.
 */
export function withoutNamedDueTime(answer: JobAnswer): JobAnswer {
  const { scheduledAt, ...others } = answer;
  if (scheduledAt === namedDueTime(answer)) return others;
  return scheduledAt === undefined ? { ...answer, scheduledAt: NONE } : answer;
}

/** The inverse of {@link withoutNamedDueTime}. Summaries of earlier releases had no due time: the name dates them. */
export function withNamedDueTime(stored: JobAnswer): JobAnswer {
  const { scheduledAt = namedDueTime(stored), ...answer } = stored;
  return scheduledAt === undefined || scheduledAt === NONE ? answer : { ...answer, scheduledAt };
}

function namedDueTime({ owner, name, createdAt }: JobAnswer): string | undefined {
  const created = parseInstant(createdAt);
  if (owner?.kind !== "CronJob" || created === undefined) return undefined;
  const dueAt = dueTimeInName(owner.name, { name, createdAt: created });
  return dueAt === undefined ? undefined : formatInstant(dueAt);
}
