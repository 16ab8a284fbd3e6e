import * as v from "valibot";
import { listCronJobs } from "../../query/cron-jobs/cron-jobs.ts";
import { cronJobSchema } from "../contract/cron-job-schema.ts";
import { ITEM_CURSORS_QUERY, mergeablePageOf, PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./list-page.ts";
import { clusterParameter, nameParameter } from "../contract/parameters.ts";
import { defineRoute } from "../contract/route.ts";

export const cronJobsRoute = defineRoute({
  template: "/v1/cronjobs",
  operationId: "listCronJobs",
  summary: "List CronJobs by cluster, namespace and name",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    namespace: v.exactOptional(nameParameter("Only CronJobs in this namespace. Defaults to all namespaces.")),
    ...PAGE_QUERY,
    ...ITEM_CURSORS_QUERY,
  },
  answer: mergeablePageOf(cronJobSchema),
  answerIs: "One page of CronJobs.",
  statuses: [],
  handle: async ({ ports, scope }, _path, { cluster, namespace, limit = STANDARD_LIMIT, cursor, itemCursors }) =>
    replyWithPage(await listCronJobs((await ports()).meta, scope, { cluster, namespace, limit, cursor }), itemCursors),
});
