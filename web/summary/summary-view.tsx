import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { request } from "../api/request.ts";
import { useLive } from "../api/live.ts";
import { apiParameters, HOUR_MILLIS, SPANS } from "../jobs/list-parameters.ts";
import { Banner } from "../shell/banner.tsx";
import { route } from "../shell/location.ts";
import { useTitle } from "../shell/use-title.ts";
import { withoutOpened } from "../shell/on-request.tsx";
import { WithLive } from "../shell/with-live.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { FindingCounts } from "./finding-counts.tsx";
import { GroupsPanel } from "./groups-panel.tsx";
import { NodesPanel } from "./nodes-panel.tsx";
import { StateShares } from "./state-shares.tsx";
import { SummaryFigures } from "./summary-figures.tsx";
import { ReservedSummary } from "../usage/reserved-summary.tsx";
import { SUMMARY_GROUPS } from "../../src/query/summary/summary-group.ts";
import { Choice } from "../jobs/choice.tsx";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";

/** A summary reads many Jobs, so it is reloaded once a minute only. */
const INTERVAL = 60_000;

/** Aggregates over many Jobs. */
export function SummaryView() {
  useTitle("Summary");
  const parameters = withoutOpened(route.value.parameters);
  const load = (signal: AbortSignal) =>
    request<SummaryAnswer>(
      "summary",
      { ...apiParameters(parameters, Date.now(), HOUR_MILLIS), by: parameters["by"] },
      signal,
    );
  const live = useLive(JSON.stringify(parameters), load, { everyMillis: INTERVAL }).value;
  return (
    <>
      <SummaryFilters />
      <WithLive live={live} what="the summary" isView>
        {(summary) => <SummaryPanels summary={summary} by={parameters["by"]} />}
      </WithLive>
      <NodesPanel />
    </>
  );
}

function SummaryPanels({ summary, by }: { readonly summary: SummaryAnswer; readonly by: string | undefined }) {
  return (
    <>
      {summary.partial === undefined ? null : (
        <Banner tone="warn" title="Some Jobs are not included:">
          these figures cover Jobs created at or after <Moment at={summary.partial.since} />. Choose a shorter time or
          one cluster to include all of them.
        </Banner>
      )}
      <h1>{plural(summary.jobs, "Job")}</h1>
      {summary.asOf === undefined ? null : (
        <p class="quiet small">
          As of <Moment at={summary.asOf.time} />. Later changes are counted within some minutes.
        </p>
      )}
      <SummaryFigures summary={summary} />
      {by === undefined ? null : <GroupsPanel summary={summary} by={by} />}
      <StateShares summary={summary} />
      <FindingCounts summary={summary} />
      <ReservedSummary />
    </>
  );
}

/** Filters of the summary. */
function SummaryFilters() {
  return (
    <search class="filters">
      <ClusterChoices />
      <Choice name="created" label="Created within" all="Any time" values={Object.keys(SPANS)} />
      <Choice name="by" label="Group by" all="No grouping" values={SUMMARY_GROUPS} />
    </search>
  );
}
