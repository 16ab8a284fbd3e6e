import { SUMMARY_GROUPS } from "../../src/query/summary/summary-group.ts";
import { Choice } from "../jobs/choice.tsx";
import { SPANS } from "../jobs/list-parameters.ts";
import { ClusterChoices } from "../jobs/cluster-choices.tsx";

/** Filters of the summary. */
export function SummaryFilters() {
  return (
    <search class="filters">
      <ClusterChoices />
      <Choice name="created" label="Created within" all="Any time" values={Object.keys(SPANS)} />
      <Choice name="by" label="Group by" all="No grouping" values={SUMMARY_GROUPS} />
    </search>
  );
}
