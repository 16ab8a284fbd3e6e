import type { Route } from "../contract/route.ts";
import { batchRoute } from "./batch.ts";
import { changesRoute } from "./changes.ts";
import { clustersRoute } from "./clusters.ts";
import { cronJobRunsRoute } from "./cron-job-runs.ts";
import { cronJobsRoute } from "./cron-jobs.ts";
import { evidenceRoute } from "./evidence.ts";
import { gapsRoute } from "./gaps.ts";
import { healthzRoute, readyzRoute } from "./health.ts";
import { historyRoute } from "./history.ts";
import { indexesRoute } from "./indexes.ts";
import { jobRoute } from "./job.ts";
import { jobsRoute } from "./jobs.ts";
import { metricsRoute, scrapeRoute } from "./metrics.ts";
import { podsRoute } from "./pods.ts";
import { summaryRoute } from "./summary.ts";
import { waitRoute } from "./wait.ts";
import { whyRoute } from "./why.ts";

/** All routes of the API, in the order of the OpenAPI document. */
export const ROUTES: readonly Route[] = [
  jobsRoute,
  batchRoute,
  jobRoute,
  podsRoute,
  historyRoute,
  whyRoute,
  evidenceRoute,
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
