import { SUMMARY_GROUPS } from "../../src/query/summary/summary-group.ts";
import { Choice } from "../jobs/choice.tsx";
import { SPANS } from "../jobs/job-filter.ts";
import { WhereChoices } from "../jobs/where-choices.tsx";

/** Which Jobs are summed. */
export function SummaryFilters() {
  return (
    <search class="filters">
      <WhereChoices />
      <Choice name="created" label="Created within" all="Any time" values={Object.keys(SPANS)} />
      <Choice name="by" label="Also by" all="Nothing" values={SUMMARY_GROUPS} />
    </search>
  );
}
