import { useState } from "preact/hooks";
import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import { useLive } from "../api/live.ts";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";
import { now } from "../shell/clock.ts";
import { route } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { localDay } from "../text/instant-text.ts";
import { number, plural } from "../text/plural.ts";
import { loadCronJobs, DAYS } from "./cron-requests.ts";
import { DayHeadings } from "./day-headings.tsx";
import { calendarOf, type DayTone } from "./heat-day.ts";
import { showNewest } from "./show-newest.ts";
import { HeatRow } from "./heat-row.tsx";

/** CronJobs change rarely; their runs are loaded row by row. */
const INTERVAL = 60_000;
/** Each row is a request that may read thousands of Jobs. */
const ROW_STEP = 15;

/** A heat map: one row per CronJob, one column per day. */
export function CronJobList() {
  useTitle("CronJobs");
  const { cluster, namespace } = route.value.parameters;
  const live = useLive(`${cluster} ${namespace}`, loadCronJobs(cluster, namespace), { everyMillis: INTERVAL }).value;
  return (
    <>
      <search class="filters">
        <ClusterChoices />
      </search>
      <WithLive live={live} what="the CronJobs" isView>
        {({ items }) => (items.length === 0 ? <NoCronJobs /> : <HeatMap cronJobs={items} />)}
      </WithLive>
    </>
  );
}

function NoCronJobs() {
  return (
    <div class="empty">
      <h1>No CronJobs</h1>
      <p>CronJobs come from the exporter, and from recordings that include them. Other Jobs are in the list of Jobs.</p>
    </div>
  );
}

function HeatMap({ cronJobs }: { readonly cronJobs: readonly CronJobAnswer[] }) {
  const [shown, setShown] = useState(ROW_STEP);
  const days = calendarOf(localDay(now.value), DAYS);
  return (
    <Panel id="cron" title={plural(cronJobs.length, "CronJob")} remark="Runs by day" level={1}>
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
      <div class="inside">
        <HeatLegend />
      </div>
      {cronJobs.length > shown ? (
        <p class="more-rows">
          <button type="button" onClick={() => setShown(shown + ROW_STEP)}>
            Show {number(Math.min(ROW_STEP, cronJobs.length - shown))} more of {number(cronJobs.length)}
          </button>
        </p>
      ) : null}
    </Panel>
  );
}

const TONES: readonly (readonly [tone: DayTone, example: string, meaning: string])[] = [
  ["good", "2", "all runs complete or running"],
  ["failed", "2 ✕1", "✕ runs that failed"],
  ["missed", "1 !1", "! due and not created"],
  ["both", "2 ✕1 !1", "✕ and !"],
  ["unobserved", "0 ?1", "? due and not observed"],
  ["none", "0", "nothing due"],
];

/** What the colours and marks of a heat map mean. A cell is one day. */
function HeatLegend() {
  return (
    <p class="legend heat-legend" aria-label="Legend of the heat map">
      {TONES.map(([tone, example, meaning]) => (
        <span key={tone}>
          <span class={`cell h-${tone}`} aria-hidden="true">
            {example}
          </span>{" "}
          {meaning}
        </span>
      ))}
    </p>
  );
}
