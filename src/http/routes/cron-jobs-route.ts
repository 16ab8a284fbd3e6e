import * as v from "valibot";
import { listCronJobs } from "../../query/cron-jobs/list-cron-jobs.ts";
import { cronJobSchema } from "../../query/cron-jobs/cron-jobs.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";
import { clusterParameter, flagParameter, nameParameter } from "../contract/parameters.ts";
import { pageOf } from "../contract/components.ts";
import { defineRoute } from "../contract/route.ts";

export const cronJobsRoute = defineRoute({
  template: "/v1/cronjobs",
  operationId: "listCronJobs",
  summary: "List CronJobs by cluster, namespace and name",
  path: {},
  query: {
    cluster: v.exactOptional(clusterParameter),
    namespace: v.exactOptional(nameParameter("Only CronJobs in this namespace. Defaults to all namespaces.")),
    attention: v.exactOptional(
      flagParameter(
        "`true`: only CronJobs with findings, each with its findings as of the last data from its cluster.",
      ),
    ),
    ...PAGE_QUERY,
  },
  answer: pageOf(cronJobSchema),
  answerIs: "One page of CronJobs.",
  statuses: [],
  handle: async ({ ports, scope, now }, _path, { limit = STANDARD_LIMIT, attention, ...query }) => {
    const attentionAt = attention === true ? now : undefined;
    return replyWithPage(await listCronJobs(await ports(), scope, { ...query, limit, attentionAt }));
  },
});
