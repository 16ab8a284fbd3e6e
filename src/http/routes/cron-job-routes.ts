import { DAY_MILLIS } from "../../job/model/instant.ts";
import * as v from "valibot";
import { cronJobSchema } from "../../query/cron-jobs/cron-jobs.ts";
import { cronRuns, cronRunsSchema } from "../../query/cron-jobs/cron-runs.ts";
import { listCronJobs } from "../../query/cron-jobs/list-cron-jobs.ts";
import { instantAt } from "../../query/list/given-time.ts";
import { pageOf } from "../contract/components.ts";
import {
  clusterParameter,
  flagParameter,
  nameParameter,
  timeParameter,
  timeZoneParameter,
} from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";
import { PAGE_QUERY, replyWithPage, STANDARD_LIMIT } from "./reply-with-page.ts";

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

const THIRTY_DAYS = 30 * DAY_MILLIS;
/** The longest period of one answer. */
const MAX_DAYS = 400;

export const cronJobRunsRoute = defineRoute({
  template: "/v1/clusters/{cluster}/namespaces/{namespace}/cronjobs/{name}/runs",
  operationId: "listCronJobRuns",
  summary: "List the runs of a CronJob: counts by day, each run, and missed runs",
  path: {
    cluster: clusterParameter,
    namespace: nameParameter("Namespace of the CronJob."),
    name: nameParameter("Name of the CronJob."),
  },
  query: {
    since: v.exactOptional(
      timeParameter("Only runs created after this time. Defaults to 30 days ago; at most 400 days ago."),
    ),
    timeZone: v.exactOptional(timeZoneParameter),
    daysOnly: v.exactOptional(
      flagParameter("`true`: counts only. `runs`, `missed` and `unobserved` are empty. Reads as many Jobs as without."),
    ),
  },
  answer: cronRunsSchema,
  answerIs: "The runs.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { since: given, timeZone = "UTC", daysOnly }) => {
    const since = instantAt(given, now) ?? now - THIRTY_DAYS;
    if (since >= now) return { problem: problem("bad-parameter", 'Parameter "since" (query) is in the future.') };
    if (since < now - MAX_DAYS * DAY_MILLIS) {
      return { problem: problem("bad-parameter", `Parameter "since" (query) is more than ${MAX_DAYS} days ago.`) };
    }
    const found = await cronRuns(await ports(), scope, { wanted: path, since, now, timeZone, daysOnly });
    if (found.outcome === "answered") return { body: found.answer };
    const near = found.near.length === 0 ? "" : ` Did you mean ${found.near.join(", ")}?`;
    const where = `in namespace ${JSON.stringify(path.namespace)} of cluster ${JSON.stringify(path.cluster)}`;
    const detail = `CronJob ${JSON.stringify(path.name)} not found ${where}.${near}`;
    return { problem: problem("no-such-cronjob", detail) };
  },
});
