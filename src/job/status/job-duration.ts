import { type Instant, parseInstant } from "../model/instant.ts";

/** A Job's milestones in RFC 3339. */
interface JobTimes {
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly deletedAt?: string;
}

/** Milliseconds from start to finish; `undefined` if either is unknown, or if the finish precedes the start. */
export function jobDuration({ startedAt, finishedAt }: JobTimes): number | undefined {
  const [start, finish] = [parseInstant(startedAt), parseInstant(finishedAt)];
  return start === undefined || finish === undefined || finish < start ? undefined : finish - start;
}

/**
 * Milliseconds from the start to the finish, otherwise to the deletion, otherwise to `now`; `undefined` before the
 * start.
 */
export function jobRunTime({ startedAt, finishedAt, deletedAt }: JobTimes, now: Instant): number | undefined {
  const start = parseInstant(startedAt);
  return start === undefined ? undefined : (parseInstant(finishedAt) ?? parseInstant(deletedAt) ?? now) - start;
}
