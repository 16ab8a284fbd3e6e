import type { CronRunsAnswer } from "../../src/query/cron-jobs/cron-runs.ts";
import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import { useLive } from "../api/live.ts";
import { Banner } from "../shell/banner.tsx";
import { now } from "../shell/clock.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { localDay } from "../text/instant-text.ts";
import { Moment, Age } from "../text/moment.tsx";
import { plural, number } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { loadRuns, type CronJobName, DAYS } from "./cron-requests.ts";
import { DayHeadings } from "./day-headings.tsx";
import { calendarOf } from "./heat-day.ts";
import { DayCell } from "./heat-row.tsx";
import { showNewest } from "./show-newest.ts";
import { RunsPanel } from "./runs-panel.tsx";
import { TrendPanel } from "./trend-panel.tsx";
import { Figure } from "../shell/figure.tsx";
import { spanText } from "../text/span-text.ts";
import type { MissedRun } from "../../src/query/cron-jobs/cron-run.ts";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";

/** One CronJob: runs by day, missed runs, start delay and duration, and each run. */
export function CronJobPage({ cronJob }: { readonly cronJob: CronJobName }) {
  const { cluster, namespace, name } = cronJob;
  useTitle(`CronJob ${shownText(name)}`);
  const isOld = (job: { readonly owner?: { readonly name: string } }): boolean => job.owner?.name === name;
  const live = useLive(`${cluster} ${namespace} ${name}`, loadRuns(cronJob), { isOld, everyMillis: 60_000 }).value;
  return (
    <>
      <p class="quiet breaks">
        <a href={linkTo("cronjobs")}>CronJobs</a> / <ClusterText text={cluster} /> / <ClusterText text={namespace} />
      </p>
      <h1 class="breaks">
        <ClusterText text={name} />
      </h1>
      <p>
        <a href={linkTo("summary", [], { cluster, namespace, owner: `CronJob/${name}`, created: "30d" })}>
          Pictures over time
        </a>
      </p>
      <WithLive live={live} what="the runs">
        {(runs) => <Runs runs={runs} name={cronJob} />}
      </WithLive>
    </>
  );
}

function Runs({ runs, name }: { readonly runs: CronRunsAnswer; readonly name: CronJobName }) {
  const { cronJob } = runs;
  return (
    <>
      <Schedule cronJob={cronJob} />
      {runs.partial === undefined ? null : (
        <Banner tone="warn" title="Some runs are not shown:">
          the namespace has more Jobs than one answer includes. These are the runs since{" "}
          <Moment at={runs.partial.since} />.
        </Banner>
      )}
      {runs.findings.map(({ kind, message }) => (
        <Banner key={kind} tone="warn" title={`${kind}:`}>
          {shownText(message)}
        </Banner>
      ))}
      <CronFigures runs={runs} />
      <Panel
        id="days"
        title="Runs by day"
        remark={`the last ${plural(DAYS, "day")}. ✕ failed, ! due and not created, ? not observed.`}
      >
        <div class="scroll inside" ref={showNewest} tabIndex={0} role="group" aria-label="Runs by day, scrollable">
          <DayTable runs={runs} />
        </div>
      </Panel>
      <MissedPanel missed={runs.missed} />
      {runs.runs.length === 0 ? null : <TrendPanel runs={runs} of={name} />}
      <RunsPanel runs={runs.runs} of={name} />
    </>
  );
}

/** The schedule of the CronJob, as it was last observed. */
function Schedule({ cronJob }: { readonly cronJob: CronJobAnswer | undefined }) {
  return (
    <p class="quiet">
      {cronJob === undefined ? (
        "The CronJob object was never observed, only its Jobs. Its schedule is unknown."
      ) : (
        <>
          Schedule <code>{shownText(cronJob.schedule ?? "unknown")}</code> in {shownText(cronJob.timeZone ?? "UTC")},
          concurrencyPolicy {shownText(cronJob.concurrencyPolicy ?? "unknown")}
          {cronJob.suspend === true ? ", suspended" : ""}
          {cronJob.deletedAt === undefined ? null : (
            <>
              , deleted <Moment at={cronJob.deletedAt} />
            </>
          )}
        </>
      )}
    </p>
  );
}

function DayTable({ runs }: { readonly runs: CronRunsAnswer }) {
  const byDay = new Map(runs.days.map((day) => [day.day, day]));
  const days = calendarOf(localDay(now.value), DAYS);
  return (
    <table class="heat">
      <caption class="only-read">Runs by day</caption>
      <thead>
        <tr>
          <DayHeadings days={days} />
        </tr>
      </thead>
      <tbody>
        <tr>
          {days.map((day) => (
            <td key={day}>
              <DayCell day={byDay.get(day)} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** Due and created runs, their start delay and their duration. */
function CronFigures({ runs: { days, delaySeconds, durationSeconds } }: { readonly runs: CronRunsAnswer }) {
  const sum = (of: "expected" | "runs" | "complete" | "failed" | "missed"): number =>
    days.reduce((total, day) => total + day[of], 0);
  return (
    <dl class="figures">
      <Figure name="Runs" value={number(sum("runs"))} remark={`of ${number(sum("expected"))} due`} />
      <Figure name="Missed" value={number(sum("missed"))} remark="due, not created" />
      <Figure name="Failed" value={number(sum("failed"))} remark={`${number(sum("complete"))} complete`} />
      <Figure name="Start delay p50" value={seconds(delaySeconds?.p50)} remark={`p99 ${seconds(delaySeconds?.p99)}`} />
      <Figure
        name="Duration p50"
        value={seconds(durationSeconds?.p50)}
        remark={`p99 ${seconds(durationSeconds?.p99)}`}
      />
    </dl>
  );
}

function seconds(value: number | undefined): string {
  return value === undefined ? "–" : spanText(value * 1_000);
}

/** The times at which a run was due and no Job was created. */
function MissedPanel({ missed }: { readonly missed: readonly MissedRun[] }) {
  return (
    <Panel id="missed" title="Missed runs" remark={missed.length === 0 ? "None." : plural(missed.length, "time")}>
      {missed.length === 0 ? null : (
        <VirtualTable label="Missed runs" rows={missed} columns={COLUMNS} keyOf={({ dueAt }) => dueAt} height="tall" />
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<MissedRun>[] = [
  { header: "Due", class: "w-instant", cell: ({ dueAt }) => <Moment at={dueAt} /> },
  { header: "Ago", class: "w-time num", cell: ({ dueAt }) => <Age at={dueAt} /> },
  {
    header: "Reason",
    class: "w-rest",
    cell: ({ cause, during, mayStartLate }) => {
      if (cause === "skipped") return `skipped: run ${shownText(during ?? "")} was active (concurrencyPolicy Forbid)`;
      return mayStartLate === true ? "no run was created yet; it may start late" : "no run was created";
    },
  },
];
