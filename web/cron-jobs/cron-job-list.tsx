import { useState } from "preact/hooks";
import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import { useLive } from "../ask/live.ts";
import { WhereChoices } from "../jobs/where-choices.tsx";
import { now } from "../shell/clock.ts";
import { place } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import { useTitle } from "../shell/use-title.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { localDay } from "../text/instant-text.ts";
import { number, plural } from "../text/plural.ts";
import { askCronJobs, DAYS } from "./cron-question.ts";
import { DayHeadings } from "./day-headings.tsx";
import { calendarOf } from "./heat-day.ts";
import { showNewest } from "./show-newest.ts";
import { HeatRow } from "./heat-row.tsx";

/** CronJobs come and go seldom; their runs are asked for row by row. */
const AGAIN = 60_000;
/** Each row is a question that may read thousands of Jobs. */
const FEW = 15;

/** A heat map: a row for each CronJob, a column for each day. */
export function CronJobList() {
  useTitle("CronJobs");
  const { cluster, namespace } = place.value.parameters;
  const live = useLive(`${cluster} ${namespace}`, askCronJobs(cluster, namespace), { everyMillis: AGAIN }).value;
  return (
    <>
      <search class="filters">
        <WhereChoices />
      </search>
      <WithAnswer live={live} what="the CronJobs" isView>
        {({ items }) => (items.length === 0 ? <NoCronJobs /> : <HeatMap cronJobs={items} />)}
      </WithAnswer>
    </>
  );
}

function NoCronJobs() {
  return (
    <div class="empty">
      <h1>No CronJob is known here</h1>
      <p>CronJobs are seen by the exporter, and in recordings that hold them. Jobs without one are among the Jobs.</p>
    </div>
  );
}

function HeatMap({ cronJobs }: { readonly cronJobs: readonly CronJobAnswer[] }) {
  const [shown, setShown] = useState(FEW);
  const days = calendarOf(localDay(now.value), DAYS);
  return (
    <Panel
      id="cron"
      title={plural(cronJobs.length, "CronJob")}
      remark="Runs by day. ✕ failed, ! due and never made."
      level={1}
    >
      <div class="scroll inside" ref={showNewest}>
        <table class="heat">
          <caption class="only-read">Runs of CronJobs by day</caption>
          <thead>
            <tr>
              <th scope="col" class="corner">
                <span class="only-read">CronJob</span>
              </th>
              <DayHeadings days={days} />
            </tr>
          </thead>
          <tbody>
            {cronJobs.slice(0, shown).map((cronJob) => (
              <HeatRow key={`${cronJob.cluster} ${cronJob.uid}`} cronJob={cronJob} days={days} />
            ))}
          </tbody>
        </table>
      </div>
      {cronJobs.length > shown ? (
        <p class="more-rows">
          <button type="button" onClick={() => setShown(shown + FEW)}>
            Show {number(Math.min(FEW, cronJobs.length - shown))} more of {number(cronJobs.length)}
          </button>
        </p>
      ) : null}
    </Panel>
  );
}
