import * as v from "valibot";
import { listCronJobs } from "../../query/cron-jobs.ts";
import { pageOf } from "../components.ts";
import { cronJobSchema } from "../cron-job-schema.ts";
import { clusterParameter, cursorParameter, limitParameter, textParameter } from "../parameters.ts";
import { problem } from "../problem.ts";
import { defineRoute } from "../route.ts";

const MAX_LIMIT = 1_000;
const STANDARD_LIMIT = 100;

export const cronJobsRoute = defineRoute({
  template: "/v1/cronjobs",
  operationId: "listCronJobs",
  summary: "CronJobs that were seen, by cluster, namespace and name",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    namespace: v.exactOptional(textParameter("Namespace of the CronJobs; all of them unless said.")),
    limit: v.exactOptional(limitParameter(MAX_LIMIT, STANDARD_LIMIT)),
    cursor: v.exactOptional(cursorParameter),
  },
  answer: pageOf(cronJobSchema),
  answerIs: "One page of CronJobs.",
  statuses: [],
  handle: async ({ ports, scope }, _path, { cluster, namespace, limit = STANDARD_LIMIT, cursor }) => {
    const list = await listCronJobs((await ports()).meta, scope, { cluster, namespace, limit, cursor });
    if (list.outcome === "badCursor") return { problem: problem("bad-cursor", list.problem) };
    return { body: { items: list.items, nextCursor: list.nextCursor } };
  },
});
