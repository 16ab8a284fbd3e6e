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
  summary: "One Job",
  path: JOB_PATH,
  query: { ...UID_QUERY, asOf: v.exactOptional(instantParameter("The Job as it was known to be at this time.")) },
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
            `Nothing was known of Job ${JSON.stringify(path.name)} yet at the time of asOf; its first fact is of ${found.firstSeenAt}.`,
          ),
        };
      case "beforeLog":
        return {
          problem: badAsOf(`is before the log of this cluster begins (${found.logBeginsAt}): ask for a later time`),
        };
      case "inFuture":
        return { problem: badAsOf(`is in the future (it is ${found.now}): leave it out for the Job as it is now`) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, found) };
    }
  },
});

function badAsOf(detail: string): Problem {
  return problem("bad-parameter", `Parameter "asOf" (query) ${detail}.`, [{ in: "query", name: "asOf", detail }]);
}
