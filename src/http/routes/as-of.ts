import * as v from "valibot";
import type { AsOfRefusal } from "../../query/job/load-job-as-of.ts";
import { timeParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";

export const AS_OF_QUERY = {
  asOf: v.exactOptional(timeParameter("Answer with what was known of the Job at this time.")),
};

/** The problem for an instant of which there is no answer. */
export function asOfProblem(name: string, refusal: AsOfRefusal): Problem {
  switch (refusal.outcome) {
    case "notYet":
      return problem(
        "no-such-job",
        `Job ${JSON.stringify(name)} was not yet known at the time ` +
          `of asOf. Its first fact is from ${refusal.firstSeenAt}.`,
      );
    case "beforeLog":
      return badAsOf(`is before the log of this cluster begins (${refusal.logBeginsAt}): choose a later time`);
    case "inFuture":
      return badAsOf(`is in the future (now: ${refusal.now}): omit it to get the current state`);
  }
}

function badAsOf(detail: string): Problem {
  return problem("bad-parameter", `Parameter "asOf" (query) ${detail}.`, [{ in: "query", name: "asOf", detail }]);
}
