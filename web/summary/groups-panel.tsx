import { useMemo } from "preact/hooks";
import type { SummaryAnswer, SummaryGroup } from "../../src/query/summary/summary.ts";
import { useLive } from "../api/live.ts";
import { request } from "../api/request.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/route.ts";
import { WithLive } from "../shell/with-live.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { number, plural } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";
import { percent } from "./percent.ts";
import type { SummaryQuery } from "./summary-range.ts";

/** The groupings of the table. Pictures show hours and days. */
export const GROUPINGS = ["cluster", "namespace", "owner"] as const;
type Grouping = (typeof GROUPINGS)[number];

const INTERVAL = 300_000;

interface GroupsProps {
  readonly query: SummaryQuery;
  readonly by: Grouping;
}

/** The figures of each cluster, namespace or owner. */
export function GroupsPanel({ query, by }: GroupsProps) {
  const parameters = { ...query.jobs, by };
  const load = (signal: AbortSignal) => request<SummaryAnswer>("summary", parameters, signal);
  const live = useLive(JSON.stringify(parameters), load, { everyMillis: INTERVAL }).value;
  return (
    <WithLive live={live} what={`the Jobs by ${by}`}>
      {(summary) => <Groups summary={summary} query={query} by={by} />}
    </WithLive>
  );
}

function Groups({ summary, query, by }: GroupsProps & { readonly summary: SummaryAnswer }) {
  const { groups = [], groupsOmitted = 0 } = summary;
  const omitted = groupsOmitted > 0 ? `; ${number(groupsOmitted)} with fewer Jobs are omitted` : "";
  const columns = useMemo(() => [keyColumn(query, by), ...COLUMNS], [query, by]);
  return (
    <Panel id="groups" title={`By ${by}`} remark={`${plural(groups.length, "group")}${omitted}`}>
      {groups.length === 0 ? null : (
        <VirtualTable label={`Jobs by ${by}`} rows={groups} columns={columns} keyOf={({ key }) => key} height="tall" />
      )}
    </Panel>
  );
}

/** A link to the Jobs of the group. */
function keyColumn(query: SummaryQuery, by: Grouping): Column<SummaryGroup> {
  return {
    header: by.charAt(0).toUpperCase() + by.slice(1),
    class: "name w-name",
    cell: ({ key }) =>
      key === "" ? (
        <span class="quiet">no owner</span>
      ) : (
        <a href={linkTo("jobs", [], { ...query.jobs, [by]: key })} tabIndex={-1}>
          <ClusterText text={key} />
        </a>
      ),
  };
}

const COLUMNS: readonly Column<SummaryGroup>[] = [
  { header: "Jobs", class: "w-num num", cell: ({ jobs }) => number(jobs) },
  {
    header: "Success",
    class: "w-num num",
    cell: ({ successRate }) => (successRate === undefined ? "–" : percent(successRate)),
  },
  { header: "Failed", class: "w-num num hide-s", cell: ({ byState }) => number(byState.Failed ?? 0) },
  { header: "p50", class: "w-time num hide-s", cell: ({ durationSeconds }) => seconds(durationSeconds?.p50) },
  { header: "p99", class: "w-time num hide-m", cell: ({ durationSeconds }) => seconds(durationSeconds?.p99) },
  { header: "Re-runs", class: "w-num num hide-m", cell: ({ reRuns }) => number(reRuns.pods) },
  { header: "With findings", class: "w-num num hide-m", cell: ({ attention }) => number(attention) },
];

function seconds(value: number | undefined): string {
  return value === undefined ? "–" : spanText(value * 1_000);
}
