import * as v from "valibot";
import { explainJob, whySchema } from "../../query/job/explain-job.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { AS_OF_QUERY, asOfProblem } from "./as-of.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";
import { secondsParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";

export const whyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/why`,
  operationId: "explainJob",
  summary: "Explain the state of a Job, with evidence",
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    ...AS_OF_QUERY,
    phantomAfterSeconds: v.exactOptional(
      secondsParameter(
        "Report Pods as PhantomRunning if they have run for this many seconds without " +
          "a change. Off by default, because a long-running program looks the same.",
      ),
    ),
  },
  answer: whySchema,
  answerIs: "The explanation.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, asOf, phantomAfterSeconds }) => {
    const wanted = { ...path, uid };
    const phantomAfter = phantomAfterSeconds === undefined ? undefined : phantomAfterSeconds * 1_000;
    const times = { now, asOf: instantAt(asOf, now), phantomAfter };
    const explained = await explainJob(await ports(), { scope, wanted }, times);
    switch (explained.outcome) {
      case "explained":
        return { body: explained.why };
      case "notYet":
      case "beforeLog":
      case "inFuture":
        return { problem: asOfProblem(path.name, explained) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, explained) };
    }
  },
});
