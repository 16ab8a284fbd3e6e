import { useState } from "preact/hooks";
import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { RUN_STATES } from "../../src/job/model/states.ts";
import { useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { serverAddress } from "../controls/server-address.ts";
import { rowFilters } from "../filters/active-filters.ts";
import { Filters } from "../filters/filters.tsx";
import { listCommand } from "../filters/list-command.ts";
import { Choice } from "../jobs/choice.tsx";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";
import { SPANS } from "../jobs/list-parameters.ts";
import { TextFilter } from "../jobs/text-filter.tsx";
import { SavedViews, SaveView } from "../saved-views/saved-views.tsx";
import { useViewTitle } from "../saved-views/use-view-title.ts";
import { goTo, route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import { ListTable } from "../table/list-table.tsx";
import { useKept } from "../table/use-kept.ts";
import { OFFERED_RUN_COLUMNS } from "./run-columns.tsx";
import { loadRuns } from "./run-requests.ts";

const INTERVAL = 30_000;
const FIRST = 100;
const MOST = 5_000;

/** The newest runs that match the filters of the address. */
export function RunList() {
  useViewTitle("Runs");
  const { parameters } = route.value;
  const filters = JSON.stringify(rowFilters(parameters));
  const [loaded, setLoaded] = useState({ filters, most: FIRST });
  const most = loaded.filters === filters ? loaded.most : FIRST;
  const live = useLive(`${filters} ${most}`, loadRuns(parameters, most), { everyMillis: INTERVAL }).value;
  const kept = useKept(live, filters);
  const loadMore = most < MOST ? () => setLoaded({ filters, most: MOST }) : undefined;
  return (
    <>
      <SavedViews view="runs" standard={STANDARD_VIEWS} />
      <RunFilters />
      <WithLive live={kept.live} what="the runs" isView>
        {(list) => <ListedRuns list={list} isBusy={kept.isKept} loadMore={loadMore} />}
      </WithLive>
    </>
  );
}

const STANDARD_VIEWS = [
  { name: "All runs", link: linkTo("runs") },
  { name: "Failed in 24 h", link: linkTo("runs", [], { state: "Failed", created: "24h" }) },
];

const LABELS = {
  cluster: "Cluster",
  namespace: "Namespace",
  kind: "Kind",
  state: "State",
  created: "Created within",
  series: "Series",
  externalId: "External id",
  labelSelector: "Labels",
};

function RunFilters() {
  return (
    <Filters labels={LABELS} action={<SaveView />}>
      <ClusterChoices />
      <TextFilter name="kind" label="Kind" placeholder="jobset" />
      <Choice name="state" label="State" all="Any state" values={RUN_STATES} />
      <Choice name="created" label="Created within" all="Any time" values={[...SPANS.keys()]} />
      <TextFilter name="series" label="Series" placeholder="CronJob/nightly" />
      <TextFilter name="externalId" label="External id" placeholder="dagster/run-id=ID" />
      <TextFilter name="labelSelector" label="Label selector" placeholder="team=render" />
    </Filters>
  );
}

interface ListedRunsProps {
  readonly list: ReadPages<RunAnswer>;
  readonly isBusy: boolean;
  /** Loads more; `undefined` if the page loads no more. */
  readonly loadMore: (() => void) | undefined;
}

function ListedRuns({ list: { items, more }, isBusy, loadMore }: ListedRunsProps) {
  if (items.length === 0 && !more) return <NoRuns />;
  const load = more ? loadMore : undefined;
  return (
    <ListTable
      label="Runs"
      name="runs"
      noun="run"
      rows={items}
      offered={OFFERED_RUN_COLUMNS}
      standard={NEWEST_FIRST}
      more={more}
      isComplete={!more}
      isBusy={isBusy}
      remark={isBusy ? "Loading more…" : ""}
      loadMore={load}
      loadAll={load && { most: MOST, load }}
      command={listCommand({ list: "runs", parameters: route.value.parameters, server: serverAddress() })}
      keyOf={({ cluster, kind, name, uid }) => `${cluster} ${uid ?? `${kind}/${name}`}`}
      onOpen={open}
    />
  );
}

const NEWEST_FIRST = { by: "created", descending: true };

function open({ cluster, namespace, kind, name, uid }: RunAnswer): void {
  goTo({ view: "runs", path: [cluster, namespace, kind, name], parameters: { ...(uid !== undefined && { uid }) } });
}

function NoRuns() {
  if (Object.keys(rowFilters(route.value.parameters)).length > 0) {
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
