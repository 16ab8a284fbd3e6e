import { explainJob } from "../../query/explain-job.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "../job-path.ts";
import { defineRoute } from "../route.ts";
import { whySchema } from "../why-schema.ts";

export const whyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/why`,
  operationId: "explainJob",
  summary: "The verdict with the facts it rests on",
  path: JOB_PATH,
  query: UID_QUERY,
  answer: whySchema,
  answerIs: "Why the Job is what it is.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid }) => {
    const wanted = { ...path, uid };
    const explained = await explainJob(await ports(), scope, wanted, now);
    return explained.outcome === "explained" ? { body: explained.why } : { problem: unknownJob(wanted, explained) };
  },
});
