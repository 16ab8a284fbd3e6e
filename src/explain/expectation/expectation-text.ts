import { count, list } from "../../job/text/sentence.ts";
import { type Expectation, MIN_BASELINE_RUNS } from "../../parents/series/expectation.ts";
import type { JobAnswer } from "../answer-document.ts";

/** What the answer about a Job says about how long it will take, in seconds. */
export function presentExpectation(expectation: Expectation): Pick<JobAnswer, "expected" | "noExpectation"> {
  if (expectation.outcome === "tooFewRuns") {
    const reason = noExpectationText(expectation);
    return reason === undefined ? {} : { noExpectation: reason };
  }
  const { runs, p50, p90, max, remaining } = expectation.expected;
  const left = remaining && { p50: seconds(remaining.p50), p90: seconds(remaining.p90), of: remaining.of };
  const expected = { runs, p50: seconds(p50), p90: seconds(p90), max: seconds(max), ...(left && { remaining: left }) };
  return { expected };
}

function seconds(millis: number): number {
  return millis / 1000;
}

/** Why nothing is expected of a Job; `undefined` if no run of its series is known. */
function noExpectationText({ known }: Extract<Expectation, { outcome: "tooFewRuns" }>): string | undefined {
  const { runs, acrossGap, otherTemplate } = known;
  if (runs + acrossGap + otherTemplate === 0) return undefined;
  const others = [
    ...(otherTemplate > 0 ? [`${otherTemplate} had another template (resources, parallelism or completions)`] : []),
    ...(acrossGap > 0 ? [`${acrossGap} ran during a gap in monitoring`] : []),
  ];
  const besides = others.length === 0 ? "" : `; ${list(others)}`;
  return `No expectation: ${runs} of ${count(MIN_BASELINE_RUNS, "successful run")} are known${besides}.`;
}
