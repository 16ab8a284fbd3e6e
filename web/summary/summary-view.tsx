import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { formatInstant } from "../../src/job/model/instant.ts";
import { useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import { Filters } from "../filters/filters.tsx";
import { Choice } from "../jobs/choice.tsx";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";
import { TextFilter } from "../jobs/text-filter.tsx";
import type { TimeRange } from "../pictures/bucket.ts";
import { useObservation } from "../pictures/use-observation.ts";
import { Banner } from "../shell/banner.tsx";
import { route } from "../shell/location.ts";
import { linkTo } from "../shell/route.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithLive } from "../shell/with-live.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { ReservedSummary } from "../usage/reserved-summary.tsx";
import { FindingCounts } from "./finding-counts.tsx";
import { GROUPINGS, GroupsPanel } from "./groups-panel.tsx";
import { NodesPanel } from "./nodes-panel.tsx";
import { PicturesPanel } from "./pictures-panel.tsx";
import { StateShares } from "./state-shares.tsx";
import { SummaryFigures } from "./summary-figures.tsx";
import { RANGE_TEXTS, STANDARD_RANGE_TEXT, type SummaryQuery, summaryQuery } from "./summary-range.ts";

/** A summary reads many Jobs, so it is reloaded once a minute only; one of days changes slowly. */
const INTERVALS = { hour: 60_000, day: 300_000 };

/** Figures about many Jobs, and pictures of them over time. */
export function SummaryView() {
  useTitle("Summary");
  const query = summaryQuery(route.value.parameters, Date.now());
  const { jobs, range } = query;
  const parameters = { ...jobs, by: range?.unit };
  const load = (signal: AbortSignal) => request<SummaryAnswer>("summary", parameters, signal);
  const everyMillis = INTERVALS[range?.unit ?? "day"];
  const live = useLive(JSON.stringify(parameters), load, { everyMillis }).value;
  return (
    <>
      <SummaryFilters />
      <WithLive live={live} what="the summary" isView>
        {(summary) => <SummaryPanels summary={summary} query={query} />}
      </WithLive>
      <NodesPanel query={query} />
    </>
  );
}

interface PanelsProps {
  readonly summary: SummaryAnswer;
  readonly query: SummaryQuery;
}

function SummaryPanels({ summary, query }: PanelsProps) {
  const by = GROUPINGS.find((known) => known === route.value.parameters["by"]);
  return (
    <>
      {summary.partial === undefined ? null : (
        <Banner tone="warn" title="Some Jobs are not included:">
          these figures cover Jobs created at or after <Moment at={summary.partial.since} />. Choose a shorter time or
          one cluster to include all of them.
        </Banner>
      )}
      <div class="view-head">
        <h1>{plural(summary.jobs, "Job")}</h1>
        <SeriesLink query={query} />
        {summary.asOf === undefined ? null : (
          <p class="quiet small">
            As of <Moment at={summary.asOf.time} />. Later changes are counted within some minutes.
          </p>
        )}
      </div>
      <SummaryFigures summary={summary} />
      {query.range === undefined ? (
        <>
          <p class="quiet">Choose a time of up to 400 days to see pictures over time.</p>
          <ReservedSummary query={query} reRuns={summary.reRuns.pods} />
        </>
      ) : (
        <OverTime summary={summary} query={query} range={query.range} />
      )}
      {by === undefined ? null : <GroupsPanel query={query} by={by} />}
      <StateShares summary={summary} query={query} />
      <FindingCounts summary={summary} />
    </>
  );
}

/** The pictures, which share what was observed. */
function OverTime({ summary, query, range }: PanelsProps & { readonly range: TimeRange }) {
  const { cluster, namespace } = query.filters;
  const first = formatInstant(range.from);
  const isEmptyAtFirst = !(summary.groups ?? []).some(({ key }) => key === first);
  const live = useObservation({ range, cluster, namespace, isEmptyAtFirst });
  return (
    <WithLive live={live} what="what was observed">
      {(observed) => (
        <>
          <PicturesPanel summary={summary} range={range} query={query} observed={observed} />
          <ReservedSummary query={query} reRuns={summary.reRuns.pods} observed={observed} />
        </>
      )}
    </WithLive>
  );
}

/** From the pictures of a CronJob to its page. */
function SeriesLink({ query: { filters } }: { readonly query: SummaryQuery }) {
  const { cluster, namespace, owner = "" } = filters;
  const [kind, name] = owner.split("/");
  if (cluster === undefined || namespace === undefined || kind !== "CronJob" || name === undefined) return null;
  return <a href={linkTo("cronjobs", [cluster, namespace, name])}>Runs of this CronJob</a>;
}

const LABELS = {
  cluster: "Cluster",
  namespace: "Namespace",
  owner: "Owner or series",
  created: "Created within",
  by: "Group by",
};

/** Filters of the summary. */
function SummaryFilters() {
  return (
    <Filters labels={LABELS}>
      <ClusterChoices />
      <TextFilter name="owner" label="Owner or series" placeholder="CronJob/nightly" />
      <Choice
        name="created"
        label="Created within"
        all={STANDARD_RANGE_TEXT}
        values={[...RANGE_TEXTS.keys()]}
        textOf={(name) => RANGE_TEXTS.get(name) ?? name}
      />
      <Choice name="by" label="Group by" all="No grouping" values={GROUPINGS} />
    </Filters>
  );
}
