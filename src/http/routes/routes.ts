import type { Route } from "../contract/route.ts";
import { batchRoute } from "./batch-route.ts";
import { changesRoute } from "./changes-route.ts";
import { clustersRoute } from "./clusters-route.ts";
import { cronJobRunsRoute } from "./cron-job-runs-route.ts";
import { cronJobsRoute } from "./cron-jobs-route.ts";
import { gapsRoute } from "./gaps-route.ts";
import { healthzRoute, readyzRoute } from "./health-route.ts";
import { historyRoute } from "./history-route.ts";
import { indexesRoute } from "./indexes-route.ts";
import { jobRoute } from "./job-route.ts";
import { jobsRoute } from "./jobs-route.ts";
import { metricsRoute, scrapeRoute } from "./metrics-route.ts";
import { podsRoute } from "./pods-route.ts";
import { summaryRoute } from "./summary-route.ts";
import { waitRoute } from "./wait-route.ts";
import { whyRoute } from "./why-route.ts";

/** The routes that every build has, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  jobsRoute,
  batchRoute,
  jobRoute,
  podsRoute,
  historyRoute,
  whyRoute,
  indexesRoute,
  waitRoute,
  changesRoute,
  clustersRoute,
  cronJobsRoute,
  cronJobRunsRoute,
  gapsRoute,
  summaryRoute,
  metricsRoute,
  scrapeRoute,
  healthzRoute,
  readyzRoute,
];
