import type { Route } from "../contract/route.ts";
import { acknowledgeRoute, withdrawRoute } from "./acknowledgement-routes.ts";
import { attentionRoute } from "./attention-route.ts";
import { batchRoute } from "./batch-route.ts";
import { changesRoute } from "./changes-route.ts";
import { jobCompareRoute, runCompareRoute } from "./compare-routes.ts";
import { clustersRoute, gapsRoute } from "./cluster-routes.ts";
import { cronJobRunsRoute, cronJobsRoute } from "./cron-job-routes.ts";
import { healthzRoute, readyzRoute } from "./health-route.ts";
import { historyRoute, indexesRoute, jobRoute, podsRoute, whyRoute } from "./job-routes.ts";
import { jobsRoute } from "./jobs-route.ts";
import { metricsRoute, scrapeRoute } from "./metrics-route.ts";
import { runHistoryRoute, runJobsRoute, runRoute, runsRoute, runWaitRoute, runWhyRoute } from "./run-routes.ts";
import { summaryRoute } from "./summary-route.ts";
import { nodesRoute } from "./nodes-route.ts";
import { usageRoute } from "./usage-route.ts";
import { waitRoute } from "./wait-route.ts";

/** The routes that every build has, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  jobsRoute,
  batchRoute,
  jobRoute,
  podsRoute,
  historyRoute,
  whyRoute,
  indexesRoute,
  jobCompareRoute,
  waitRoute,
  runsRoute,
  runRoute,
  runWhyRoute,
  runCompareRoute,
  runJobsRoute,
  runHistoryRoute,
  runWaitRoute,
  attentionRoute,
  acknowledgeRoute,
  withdrawRoute,
  changesRoute,
  clustersRoute,
  cronJobsRoute,
  cronJobRunsRoute,
  gapsRoute,
  summaryRoute,
  usageRoute,
  nodesRoute,
  metricsRoute,
  scrapeRoute,
  healthzRoute,
  readyzRoute,
];
