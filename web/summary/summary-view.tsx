import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { ask } from "../ask/ask.ts";
import { useLive } from "../ask/live.ts";
import { askedParameters } from "../jobs/job-filter.ts";
import { Banner } from "../shell/banner.tsx";
import { place } from "../shell/location.ts";
import { useTitle } from "../shell/use-title.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { FindingCounts } from "./finding-counts.tsx";
import { GroupsPanel } from "./groups-panel.tsx";
import { StateShares } from "./state-shares.tsx";
import { SummaryFigures } from "./summary-figures.tsx";
import { SummaryFilters } from "./summary-filters.tsx";

/** A summary reads many Jobs: it is asked for anew once a minute. */
const AGAIN = 60_000;

/** What many Jobs came to. */
export function SummaryView() {
  useTitle("Summary");
  const { parameters } = place.value;
  const load = (signal: AbortSignal) =>
    ask<SummaryAnswer>("summary", { ...askedParameters(parameters, Date.now()), by: parameters["by"] }, signal);
  const live = useLive(JSON.stringify(parameters), load, { everyMillis: AGAIN }).value;
  return (
    <>
      <SummaryFilters />
      <WithAnswer live={live} what="the summary" isView>
        {(summary) => <Summed summary={summary} by={parameters["by"]} />}
      </WithAnswer>
    </>
  );
}

function Summed({ summary, by }: { readonly summary: SummaryAnswer; readonly by: string | undefined }) {
  return (
    <>
      {summary.partial === undefined ? null : (
        <Banner tone="warn" title="Not all Jobs are in these figures:">
          they cover those created at or after <Moment at={summary.partial.since} />. Choose a shorter time or one
          cluster to have all of them.
        </Banner>
      )}
      <h1>{plural(summary.jobs, "Job")}</h1>
      <SummaryFigures summary={summary} />
      {by === undefined ? null : <GroupsPanel summary={summary} by={by} />}
      <StateShares summary={summary} />
      <FindingCounts summary={summary} />
    </>
  );
}
