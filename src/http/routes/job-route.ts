import { getJob, oneJobSchema } from "../../query/job/get-job.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { defineRoute } from "../contract/route.ts";
import { AS_OF_QUERY, asOfProblem } from "./as-of.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";

export const jobRoute = defineRoute({
  template: JOB_TEMPLATE,
  operationId: "getJob",
  summary: "Get a Job",
  path: JOB_PATH,
  query: { ...UID_QUERY, ...AS_OF_QUERY },
  answer: oneJobSchema,
  answerIs: "The Job.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, asOf }) => {
    const wanted = { ...path, uid };
    const found = await getJob(await ports(), { scope, wanted }, { asOf: instantAt(asOf, now), now });
    switch (found.outcome) {
      case "answered":
        return { body: found.answer };
      case "notYet":
      case "beforeLog":
      case "inFuture":
        return { problem: asOfProblem(path.name, found) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, found) };
    }
  },
});
