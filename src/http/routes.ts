import type { Route } from "./route.ts";
import { batchRoute } from "./routes/batch.ts";
import { changesRoute } from "./routes/changes.ts";
import { clustersRoute } from "./routes/clusters.ts";
import { cronJobRunsRoute } from "./routes/cron-job-runs.ts";
import { cronJobsRoute } from "./routes/cron-jobs.ts";
import { gapsRoute } from "./routes/gaps.ts";
import { healthzRoute, readyzRoute } from "./routes/health.ts";
import { historyRoute } from "./routes/history.ts";
import { indexesRoute } from "./routes/indexes.ts";
import { jobRoute } from "./routes/job.ts";
import { jobsRoute } from "./routes/jobs.ts";
import { podsRoute } from "./routes/pods.ts";
import { summaryRoute } from "./routes/summary.ts";
import { waitRoute } from "./routes/wait.ts";
import { whyRoute } from "./routes/why.ts";

/** Every route of the API, in the order of its document. */
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
  healthzRoute,
  readyzRoute,
];
