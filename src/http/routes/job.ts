import * as v from "valibot";
import { getJob } from "../../query/job/get-job.ts";
import { oneJobSchema } from "../contract/components.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";
import { instantParameter } from "../contract/parameters.ts";
import { type Problem, problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";

export const jobRoute = defineRoute({
  template: JOB_TEMPLATE,
  operationId: "getJob",
  summary: "Get a Job",
  path: JOB_PATH,
  query: { ...UID_QUERY, asOf: v.exactOptional(instantParameter("Return the Job as it was known at this time.")) },
  answer: oneJobSchema,
  answerIs: "The Job.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, asOf }) => {
    const wanted = { ...path, uid };
    const found = await getJob(await ports(), scope, wanted, { asOf, now });
    switch (found.outcome) {
      case "answered":
        return { body: found.answer };
      case "notYet":
        return {
          problem: problem(
            "no-such-job",
            `Job ${JSON.stringify(path.name)} was not yet known at the time of asOf. Its first fact is from ${found.firstSeenAt}.`,
          ),
        };
      case "beforeLog":
        return {
          problem: badAsOf(`is before the log of this cluster begins (${found.logBeginsAt}): choose a later time`),
        };
      case "inFuture":
        return { problem: badAsOf(`is in the future (now: ${found.now}): omit it to get the current state`) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, found) };
    }
  },
});

function badAsOf(detail: string): Problem {
  return problem("bad-parameter", `Parameter "asOf" (query) ${detail}.`, [{ in: "query", name: "asOf", detail }]);
}
