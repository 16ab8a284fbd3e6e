import { USAGE_GROUPS, type UsageGrouping } from "../../src/query/usage/usage-group.ts";
import type { UsageReport } from "../../src/query/usage/usage-report.ts";
import { useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import { SPANS } from "../jobs/list-parameters.ts";
import { route } from "../shell/location.ts";
import { OnRequest } from "../shell/on-request.tsx";
import { WithLive } from "../shell/with-live.tsx";
import { UsageGroups } from "./usage-groups.tsx";
import { UsagePanel } from "./usage-panel.tsx";

/** What Jobs reserved that are over changes slowly, and a database file reads many Jobs for it. */
const INTERVAL = 300_000;
const MOST = 10;

/** A deployment has sums of these. For other groups it reads up to 50,000 Jobs, so that people must ask for them. */
const SUMMED: ReadonlySet<UsageGrouping> = new Set<UsageGrouping>(["cluster", "namespace", "day"]);

/** What the Jobs of a summary reserved: by what became of it, by the chosen group, and what wastes most. */
export function ReservedSummary() {
  const { cluster = "", created = "", by } = route.value.parameters;
  const place = JSON.stringify([cluster, created]);
  const grouping = USAGE_GROUPS.find((known) => known === by);
  const summed = grouping !== undefined && SUMMED.has(grouping) ? grouping : undefined;
  const load = loading(summed === undefined ? {} : { by: summed });
  const report = useLive(`${place} ${summed ?? ""}`, load, { everyMillis: INTERVAL }).value;
  return (
    <>
      <WithLive live={report} what="what the Jobs reserved">
        {(answer) => <Reserved report={answer} by={summed} />}
      </WithLive>
      {grouping === undefined || summed !== undefined ? null : (
        <FirstGroups name={`usage-${grouping}`} title={`Reserved by ${grouping}`} more={{ by: grouping }} />
      )}
      <FirstGroups name="waste" title="Series that waste most" more={{ by: "series", sort: "waste" }} />
    </>
  );
}

/** Asks for a report of the cluster and the time that the address names. */
function loading(more: Readonly<Record<string, string>>) {
  const { cluster = "", created = "" } = route.value.parameters;
  const span = SPANS[created];
  return (signal: AbortSignal) => {
    const since = span && { since: new Date(Date.now() - span).toISOString() };
    return request<UsageReport>("usage", { ...(cluster !== "" && { cluster }), ...since, ...more }, signal);
  };
}

interface FirstGroupsProps {
  readonly name: string;
  readonly title: string;
  readonly more: Readonly<Record<string, string>>;
}

/** The first groups of a report that reads many Jobs. */
function FirstGroups({ name, title, more }: FirstGroupsProps) {
  const { cluster, created } = route.value.parameters;
  return (
    <OnRequest
      name={name}
      showLabel={title}
      hideLabel={`Hide: ${title}`}
      what="the Jobs"
      of={JSON.stringify([cluster, created, more])}
      load={loading(more)}
    >
      {({ groups = [] }) => {
        const first = groups.filter(({ key }) => key !== "").slice(0, MOST);
        return first.length === 0 ? <p class="quiet">{title}: none.</p> : <UsageGroups title={title} groups={first} />;
      }}
    </OnRequest>
  );
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
      {by === undefined ? null : <UsageGroups title={`Reserved by ${by}`} groups={groups} />}
    </>
  );
}
