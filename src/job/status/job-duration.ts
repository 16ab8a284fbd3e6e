import type { JobAnswer } from "../../explain/answer-document.ts";
import { type Instant, parseInstant } from "../model/instant.ts";

/** From start to finish, in milliseconds; `undefined` where either is not known, or the finish is before the start. */
export function jobDuration({
  startedAt,
  finishedAt,
}: Pick<JobAnswer, "startedAt" | "finishedAt">): number | undefined {
  const [start, finish] = [parseInstant(startedAt), parseInstant(finishedAt)];
  return start === undefined || finish === undefined || finish < start ? undefined : finish - start;
}

/** For how long it has run, in milliseconds: to its finish, of a Job that was deleted before it to then, else to `now`; `undefined` before it starts. */
export function jobRunTime(
  { startedAt, finishedAt, deletedAt }: Pick<JobAnswer, "startedAt" | "finishedAt" | "deletedAt">,
  now: Instant,
): number | undefined {
  const start = parseInstant(startedAt);
  return start === undefined ? undefined : (parseInstant(finishedAt) ?? parseInstant(deletedAt) ?? now) - start;
}
