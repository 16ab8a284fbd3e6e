import { useClusters } from "../clusters/use-clusters.ts";
import { SUMMARY_GROUPS } from "../../src/query/summary-group.ts";
import { Choice } from "../jobs/choice.tsx";
import { SPANS } from "../jobs/job-filter.ts";
import { place } from "../shell/location.ts";

/** Which Jobs are summed. */
export function SummaryFilters() {
  const live = useClusters();
  const clusters = live.phase === "answered" ? live.answer.items : [];
  const { cluster } = place.value.parameters;
  const within = clusters.filter(({ name }) => cluster === undefined || name === cluster);
  return (
    <search class="filters">
      <Choice name="cluster" label="Cluster" all="All clusters" values={clusters.map(({ name }) => name)} />
      <Choice
        name="namespace"
        label="Namespace"
        all="All namespaces"
        values={[...new Set(within.flatMap(({ namespaces }) => namespaces))].sort()}
      />
      <Choice name="created" label="Created within" all="Any time" values={Object.keys(SPANS)} />
      <Choice name="by" label="Also by" all="Nothing" values={SUMMARY_GROUPS} />
    </search>
  );
}
