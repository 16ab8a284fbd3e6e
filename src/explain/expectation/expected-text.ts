import { durationText } from "../../job/text/duration-text.ts";
import type { JobAnswer } from "../answer-document.ts";

/** What is expected of a Job, or why nothing is, in one sentence; `undefined` for a Job that is not compared. */
export function expectedText({
  expected,
  noExpectation,
}: Pick<JobAnswer, "expected" | "noExpectation">): string | undefined {
  if (expected === undefined) return noExpectation;
  const { runs, p50, p90, remaining } = expected;
  const usual = `the last ${runs} successful runs took ${text(p50)} (median), 9 in 10 at most ${text(p90)}`;
  if (remaining === undefined) return `Expected: ${usual}.`;
  return `Expected: ${text(remaining.p50)} left, at most ${text(remaining.p90)} in 9 of 10 runs; ${usual}.`;
}

function text(seconds: number): string {
  return durationText(seconds * 1000);
}
