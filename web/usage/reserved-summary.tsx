import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import { USAGE_GROUPS } from "../../src/query/usage/usage-group.ts";
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
  const { cluster, created, by } = route.value.parameters;
  const span = SPANS[created ?? ""];
  const load = (more: Readonly<Record<string, string>>) => (signal: AbortSignal) => {
    const since = span && { since: new Date(Date.now() - span).toISOString() };
    return request<UsageReport>("usage", { ...(cluster && { cluster }), ...since, ...more }, signal);
  };
  const grouping = USAGE_GROUPS.find((known) => known === by);
  const own = useLive(`usage ${cluster} ${created} ${by}`, load(grouping ? { by: grouping } : {}), {
    everyMillis: INTERVAL,
  }).value;
  const worst = useLive(`waste ${cluster} ${created}`, load({ by: "series", sort: "waste" }), {
    everyMillis: INTERVAL,
  }).value;
  return (
    <>
      <WithLive live={own} what="what the Jobs reserved">
        {(report) => (
          <>
            <UsagePanel usage={report.usage} />
            {report.usage.pods === 0 ? null : (
              <p class="quiet small">
                Of Jobs that are over.
                {report.complete ? null : " Only the newest Jobs are included."}
              </p>
            )}
            {grouping === undefined ? null : (
              <UsageGroups id="usage-groups" title={`Reserved by ${grouping}`} groups={report.groups ?? []} />
            )}
          </>
        )}
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
