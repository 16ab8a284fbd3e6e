import { DAY_MILLIS, dayStart } from "../../src/job/model/instant.ts";
import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import type { Bucket } from "../pictures/bucket.ts";
import { coveredBuckets } from "../pictures/coverage.ts";
import { Picture } from "../pictures/picture.tsx";
import { useObservation } from "../pictures/use-observation.ts";
import { now } from "../shell/clock.ts";
import { WithLive } from "../shell/with-live.tsx";
import { jobsIn } from "../summary/summary-range.ts";
import { millisOf } from "../text/instant-text.ts";
import { type CronJobName, DAYS } from "./cron-requests.ts";
import { runDurationsOf, runsByDay, startDelaysOf } from "./run-pictures.ts";

/** The API lists so many runs, newest first. */
const MOST_RUNS = 1_000;

interface TrendProps {
  readonly runs: CronRunsAnswer;
  readonly of: CronJobName;
}

/** Start delay and duration over time. The table of runs has those of each run. */
export function TrendPanel({ runs, of: { cluster, namespace, name } }: TrendProps) {
  const byDay = runsByDay(runs.runs);
  const today = dayStart(now.value);
  const range = { from: today - DAYS * DAY_MILLIS, to: today + DAY_MILLIS, unit: "day" } as const;
  const isEmptyAtFirst = !byDay.has(range.from);
  const live = useObservation({ range, cluster, namespace, isEmptyAtFirst });
  const filters = { cluster, namespace, owner: `CronJob/${name}` };
  const jobsOf = (bucket: Bucket) => jobsIn({ filters }, bucket);
  return (
    <WithLive live={live} what="what was observed">
      {(observed) => {
        const readSince = millisOf(runs.partial?.since ?? oldestOfMany(runs));
        const buckets = coveredBuckets(range, observed, { hasJobs: ({ at }) => byDay.has(at), readSince });
        const shown = { unit: range.unit, buckets };
        return (
          <div class="pictures">
            <Picture title="Start delay" {...startDelaysOf(shown, byDay)} jobsOf={jobsOf} />
            <Picture title="Duration" {...runDurationsOf(shown, byDay, runs.expected)} jobsOf={jobsOf} />
          </div>
        );
      }}
    </WithLive>
  );
}

/** When the oldest listed run was created, if there may be older ones. */
function oldestOfMany({ runs }: CronRunsAnswer): string | undefined {
  return runs.length < MOST_RUNS ? undefined : runs.at(-1)?.createdAt;
}
