import * as v from "valibot";
import { cronRuns } from "../../query/cron-jobs/cron-runs.ts";
import { cronRunsSchema } from "../contract/cron-job-schema.ts";
import { clusterParameter, instantParameter, textParameter, timeZoneParameter } from "../contract/parameters.ts";
import { problem } from "../contract/problem.ts";
import { defineRoute } from "../contract/route.ts";

const THIRTY_DAYS = 30 * 86_400_000;

export const cronJobRunsRoute = defineRoute({
  template: "/v1/clusters/{cluster}/namespaces/{namespace}/cronjobs/{name}/runs",
  operationId: "listCronJobRuns",
  summary: "What became of a CronJob's runs: by day, each, and those its schedule was due for and nobody made",
  path: {
    cluster: clusterParameter,
    namespace: textParameter("Namespace of the CronJob."),
    name: textParameter("Name of the CronJob."),
  },
  query: {
    since: v.exactOptional(instantParameter("Runs created later than this; thirty days back unless said.")),
    timeZone: v.exactOptional(timeZoneParameter),
  },
  answer: cronRunsSchema,
  answerIs: "The runs.",
  statuses: [404],
  handle: async ({ ports, scope, now }, path, { since = now - THIRTY_DAYS, timeZone = "UTC" }) => {
    if (since >= now) return { problem: problem("bad-parameter", 'Parameter "since" (query) is in the future.') };
    const found = await cronRuns(await ports(), scope, path, { since, now, timeZone });
    if (found.outcome === "answered") return { body: found.answer };
    const near = found.near.length === 0 ? "" : ` Did you mean ${found.near.join(", ")}?`;
    const where = `in namespace ${JSON.stringify(path.namespace)} of cluster ${JSON.stringify(path.cluster)}`;
    const detail = `No CronJob ${JSON.stringify(path.name)} is known ${where}, and no Job of it.${near}`;
    return { problem: problem("no-such-cronjob", detail) };
  },
});
