import { useState } from "preact/hooks";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { RUN_STATES } from "../../src/job/model/states.ts";
import { useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { Choice } from "../jobs/choice.tsx";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";
import { SPANS } from "../jobs/list-parameters.ts";
import { TextFilter } from "../jobs/text-filter.tsx";
import { goTo, route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { VirtualTable } from "../table/virtual-table.tsx";
import { number, plural } from "../text/plural.ts";
import { RUN_COLUMNS } from "./run-columns.tsx";
import { loadRuns } from "./run-requests.ts";

const INTERVAL = 30_000;
const FIRST = 100;
const MOST = 5_000;

/** The newest runs that match the filters of the address. */
export function RunList() {
  useTitle("Runs");
  const { parameters } = route.value;
  const [most, setMost] = useState(FIRST);
  const live = useLive(JSON.stringify([parameters, most]), loadRuns(parameters, most), { everyMillis: INTERVAL }).value;
  return (
    <>
      <RunFilters />
      <WithLive live={live} what="the runs" isView>
        {(list) => <ListedRuns list={list} onMore={most < MOST ? () => setMost(MOST) : undefined} />}
      </WithLive>
    </>
  );
}

function RunFilters() {
  return (
    <search class="filters">
      <ClusterChoices />
      <TextFilter name="kind" label="Kind" placeholder="jobset" />
      <Choice name="state" label="State" all="Any state" values={RUN_STATES} />
      <Choice name="created" label="Created within" all="Any time" values={Object.keys(SPANS)} />
      <TextFilter name="series" label="Series" placeholder="CronJob/nightly" />
      <TextFilter name="externalId" label="External id" placeholder="dagster/run-id=ID" />
      <TextFilter name="labelSelector" label="Label selector" placeholder="team=render" />
    </search>
  );
}

interface ListedRunsProps {
  readonly list: ReadPages<RunAnswer>;
  /** Loads more; `undefined` if the page loads no more. */
  readonly onMore: (() => void) | undefined;
}

function ListedRuns({ list: { items, more }, onMore }: ListedRunsProps) {
  if (items.length === 0 && !more) return <NoRuns />;
  return (
    <section class="panel" aria-label="Runs">
      <header>
        <h1 aria-live="polite">{more ? `${number(items.length)}+ runs` : plural(items.length, "run")}</h1>
        <span class="quiet">newest first</span>
        {more && onMore !== undefined ? (
          <button type="button" onClick={onMore}>
            Load more
          </button>
        ) : null}
      </header>
      <VirtualTable
        label="Runs"
        rows={items}
        columns={RUN_COLUMNS}
        keyOf={({ cluster, kind, name, uid }) => `${cluster} ${uid ?? `${kind}/${name}`}`}
        onOpen={open}
        height="page-tall"
      />
    </section>
  );
}

function open({ cluster, namespace, kind, name, uid }: RunAnswer): void {
  goTo({ view: "runs", path: [cluster, namespace, kind, name], parameters: { ...(uid !== undefined && { uid }) } });
}

function NoRuns() {
  if (Object.keys(route.value.parameters).length > 0) {
    return (
      <div class="empty">
        <h1>No runs match these filters</h1>
        <p>
          Remove a filter, or see <a href={linkTo("runs")}>all runs</a>.
        </p>
      </div>
    );
  }
  return (
    <div class="empty">
      <h1>No runs yet</h1>
      <p>
        A run is work that was submitted once, such as a JobSet, a RayJob, a workflow, or a run of Airflow, Dagster,
        Prefect or Flyte. Jobs on their own are in the <a href={linkTo("jobs")}>list of Jobs</a>.
      </p>
    </div>
  );
}
