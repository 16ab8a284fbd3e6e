import * as v from "valibot";
import { explainJob } from "../../query/job/explain-job.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "./job-path.ts";
import { secondsParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";
import { whySchema } from "../contract/why-schema.ts";

export const whyRoute = defineRoute({
  template: `${JOB_TEMPLATE}/why`,
  operationId: "explainJob",
  summary: "The verdict with the facts it rests on",
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    phantomAfterSeconds: v.exactOptional(
      secondsParameter(
        "A Pod that runs without a change for so long is told as one that may be phantom-running. None is unless it is said: a long program looks the same.",
      ),
    ),
  },
  answer: whySchema,
  answerIs: "Why the Job is what it is.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { uid, phantomAfterSeconds }) => {
    const wanted = { ...path, uid };
    const phantomAfter = phantomAfterSeconds === undefined ? undefined : phantomAfterSeconds * 1_000;
    const explained = await explainJob(await ports(), scope, wanted, { now, phantomAfter });
    return explained.outcome === "explained" ? { body: explained.why } : { problem: unknownJob(wanted, explained) };
  },
});
