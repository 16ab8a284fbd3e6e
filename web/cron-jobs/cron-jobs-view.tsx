import { route } from "../shell/location.ts";
import { CronJobList } from "./cron-job-list.tsx";
import { CronJobPage } from "./cron-job-page.tsx";

/** All CronJobs, or one: `#/cronjobs`, `#/cronjobs/prod/batch/nightly`. */
export function CronJobsView() {
  const [cluster, namespace, name] = route.value.path;
  if (cluster === undefined || namespace === undefined || name === undefined) return <CronJobList />;
  return <CronJobPage cronJob={{ cluster, namespace, name }} />;
}
