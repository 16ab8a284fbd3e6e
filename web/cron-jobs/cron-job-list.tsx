import { useMemo, useState } from "preact/hooks";
import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import { useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { serverAddress } from "../controls/server-address.ts";
import { Filters } from "../filters/filters.tsx";
import { listCommand } from "../filters/list-command.ts";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";
import { SavedViews, SaveView } from "../saved-views/saved-views.tsx";
import { useViewTitle } from "../saved-views/use-view-title.ts";
import { now } from "../shell/clock.ts";
import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ColumnsMenu } from "../table/columns-menu.tsx";
import { DownloadMenu } from "../table/download-menu.tsx";
import { HeaderCell } from "../table/header-cell.tsx";
import { shownColumns } from "../table/shown-columns.ts";
import { type Sorting, useSorting } from "../table/use-sorting.ts";
import type { ListColumn } from "../table/list-column.ts";
import { localDay } from "../text/instant-text.ts";
import { number, plural } from "../text/plural.ts";
import { OFFERED_CRON_JOB_COLUMNS } from "./cron-job-columns.tsx";
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
  useViewTitle("CronJobs");
  const { cluster, namespace } = route.value.parameters;
  const live = useLive(`${cluster} ${namespace}`, loadCronJobs(cluster, namespace), { everyMillis: INTERVAL }).value;
  return (
    <>
      <SavedViews view="cronjobs" standard={[{ name: "All CronJobs", link: linkTo("cronjobs") }]} />
      <Filters labels={{ cluster: "Cluster", namespace: "Namespace" }} action={<SaveView />}>
        <ClusterChoices />
      </Filters>
      <WithLive live={live} what="the CronJobs" isView>
        {(list) => (list.items.length === 0 ? <NoCronJobs /> : <HeatMap list={list} />)}
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

function HeatMap({ list: { items, more } }: { readonly list: ReadPages<CronJobAnswer> }) {
  const [shown, setShown] = useState(ROW_STEP);
  const { parameters } = route.value;
  const offered = OFFERED_CRON_JOB_COLUMNS;
  const columns = useMemo(() => shownColumns(parameters["columns"], offered), [parameters["columns"]]);
  const sortable = { columns: offered.columns, standard: BY_NAME, isComplete: !more };
  const { rows, sorting } = useSorting({ rows: items, ...sortable });
  return (
    <section class="panel" aria-labelledby="cron-title">
      <header class="list-head">
        <h1 id="cron-title">{plural(items.length, "CronJob")}</h1>
        <span class="quiet">Runs by day</span>
        <div class="list-tools no-print">
          <ColumnsMenu offered={offered} rows={items} />
          <DownloadMenu
            name="cronjobs"
            noun="CronJob"
            rows={rows}
            columns={columns}
            more={more}
            command={listCommand({ list: "cronjobs", parameters, server: serverAddress() })}
          />
        </div>
      </header>
      <div class="scroll inside" ref={showNewest}>
        <HeatTable cronJobs={rows.slice(0, shown)} columns={columns} sorting={sorting} />
      </div>
      <div class="inside">
        <HeatLegend />
      </div>
      {rows.length > shown ? (
        <p class="more-rows">
          <button type="button" onClick={() => setShown(shown + ROW_STEP)}>
            Show {number(Math.min(ROW_STEP, rows.length - shown))} more of {number(rows.length)}
          </button>
        </p>
      ) : null}
    </section>
  );
}

const BY_NAME = { by: "name", descending: false };

interface HeatTableProps {
  readonly cronJobs: readonly CronJobAnswer[];
  readonly columns: readonly ListColumn<CronJobAnswer>[];
  readonly sorting: Sorting;
}

function HeatTable({ cronJobs, columns, sorting }: HeatTableProps) {
  const days = calendarOf(localDay(now.value), DAYS);
  const [head, ...others] = columns;
  return (
    <table class="heat">
      <caption class="only-read">Runs of CronJobs by day</caption>
      <thead>
        <tr>
          {head === undefined ? null : <HeaderCell column={head} sorting={sorting} />}
          <DayHeadings days={days} />
          {others.map((column) => (
            <HeaderCell key={column.id} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody>
        {cronJobs.map((cronJob) => (
          <HeatRow key={`${cronJob.cluster} ${cronJob.uid}`} cronJob={cronJob} columns={columns} days={days} />
        ))}
      </tbody>
    </table>
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
