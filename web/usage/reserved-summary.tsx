import { USAGE_GROUPS, type UsageGrouping } from "../../src/query/usage/usage-group.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import { useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import { SPANS } from "../jobs/list-parameters.ts";
import { route } from "../shell/location.ts";
import { WithLive } from "../shell/with-live.tsx";
import { UsageGroups } from "./usage-groups.tsx";
import { UsagePanel } from "./usage-panel.tsx";

/** Reports read many Jobs, so they are reloaded once a minute only. */
const INTERVAL = 60_000;
const WORST = 10;

/** What the Jobs of a summary reserved: by what became of it, by the chosen group, and what wastes most. */
export function ReservedSummary() {
  const { by } = route.value.parameters;
  const grouping = USAGE_GROUPS.find((known) => known === by);
  const report = useReport(grouping === undefined ? {} : { by: grouping });
  const worst = useReport({ by: "series", sort: "waste" });
  return (
    <>
      <WithLive live={report} what="what the Jobs reserved">
        {(answer) => <Reserved report={answer} by={grouping} />}
      </WithLive>
      <WithLive live={worst} what="what is wasted">
        {({ groups = [] }) => (
          <UsageGroups
            id="waste"
            title="Series that waste most"
            groups={groups.filter(({ key }) => key !== "").slice(0, WORST)}
          />
        )}
      </WithLive>
    </>
  );
}

/** A report of the cluster and time that the address names. */
function useReport(more: Readonly<Record<string, string>>) {
  const { cluster = "", created = "" } = route.value.parameters;
  const span = SPANS[created];
  const load = (signal: AbortSignal) => {
    const since = span && { since: new Date(Date.now() - span).toISOString() };
    return request<UsageReport>("usage", { ...(cluster !== "" && { cluster }), ...since, ...more }, signal);
  };
  return useLive(JSON.stringify([cluster, created, more]), load, { everyMillis: INTERVAL }).value;
}

interface ReservedProps {
  readonly report: UsageReport;
  readonly by: UsageGrouping | undefined;
}

function Reserved({ report: { usage, groups = [], complete }, by }: ReservedProps) {
  if (usage.pods === 0) return null;
  const newest = complete ? "" : " Only the newest ones are included.";
  return (
    <>
      <UsagePanel usage={usage} />
      <p class="quiet small">Of Jobs that are over.{newest}</p>
      {by === undefined ? null : <UsageGroups id="usage-groups" title={`Reserved by ${by}`} groups={groups} />}
    </>
  );
}
