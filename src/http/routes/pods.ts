import * as v from "valibot";
import { listJobPods } from "../../query/job-pods.ts";
import { pageOf } from "../components.ts";
import { attemptSchema } from "../job-answer-schema.ts";
import { JOB_PATH, JOB_TEMPLATE, UID_QUERY, unknownJob } from "../job-path.ts";
import { cursorParameter, limitParameter } from "../parameters.ts";
import { problem } from "../problem.ts";
import { defineRoute } from "../route.ts";

const MAX_LIMIT = 1_000;
const STANDARD_LIMIT = 100;

export const podsRoute = defineRoute({
  template: `${JOB_TEMPLATE}/pods`,
  operationId: "listPods",
  summary: "Attempts, one for each Pod, in order of creation",
  path: JOB_PATH,
  query: {
    ...UID_QUERY,
    limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: pageOf(attemptSchema),
  answerIs: "One page of attempts.",
  statuses: [404],
  handle: async ({ ports, scope }, path, { uid, limit = STANDARD_LIMIT, cursor }) => {
    const wanted = { ...path, uid };
    const page = await listJobPods(await ports(), scope, wanted, { limit, cursor });
    switch (page.outcome) {
      case "listed":
        return { body: { items: page.items, nextCursor: page.nextCursor } };
      case "badCursor":
        return { problem: problem("bad-cursor", page.problem) };
      case "unknownCluster":
      case "unknownJob":
        return { problem: unknownJob(wanted, page) };
    }
  },
});
