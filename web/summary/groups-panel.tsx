import { useMemo } from "preact/hooks";
import type { SummaryAnswer } from "../../src/query/summary/summary.ts";
import { route } from "../shell/location.ts";
import { Panel } from "../shell/panel.tsx";
import { linkTo } from "../shell/route.ts";
import { Plot } from "../shell/plot.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { localText, millisOf } from "../text/instant-text.ts";
import { number, plural } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";
import { percent } from "./percent.ts";

type Group = NonNullable<SummaryAnswer["groups"]>[number];

/** The same figures for each cluster, namespace, owner, hour or day. */
export function GroupsPanel({ summary, by }: { readonly summary: SummaryAnswer; readonly by: string }) {
  const { groups = [], groupsOmitted = 0 } = summary;
  const omitted = groupsOmitted > 0 ? `; ${number(groupsOmitted)} with fewer Jobs are omitted` : "";
  const overTime = by === "hour" || by === "day";
  const rows = useMemo(() => (overTime ? [...groups].sort(newestFirst) : groups), [groups]);
  const columns = useMemo(() => [keyColumn(by), ...COLUMNS], [by]);
  return (
    <Panel id="groups" title={`By ${by}`} remark={`${plural(groups.length, "group")}${omitted}`}>
      {overTime && groups.length > 1 ? <OverTime groups={groups} by={by} /> : null}
      {groups.length === 0 ? null : (
        <VirtualTable label={`Jobs by ${by}`} rows={rows} columns={columns} keyOf={({ key }) => key} height="tall" />
      )}
    </Panel>
  );
}

function newestFirst(a: Group, b: Group): number {
  return a.key < b.key ? 1 : -1;
}

function OverTime({ groups, by }: { readonly groups: readonly Group[]; readonly by: string }) {
  const ordered = useMemo(() => [...groups].sort(newestFirst).toReversed(), [groups]);
  const at = ordered.map(({ key }) => (millisOf(key) ?? 0) / 1_000);
  const jobs = useMemo((): [number[], number[]] => [at, ordered.map((group) => group.jobs)], [ordered]);
  const failed = useMemo(
    (): [number[], number[]] => [at, ordered.map(({ byState }) => byState.Failed ?? 0)],
    [ordered],
  );
  return (
    <div class="inside two even">
      <Plot label={`Jobs by ${by}`} data={jobs} name="Jobs" colour="bar-running" textOf={number} />
      <Plot label={`Failed Jobs by ${by}`} data={failed} name="Failed" colour="bar-failed" textOf={number} />
    </div>
  );
}

function keyColumn(by: string): Column<Group> {
  return {
    header: by.charAt(0).toUpperCase() + by.slice(1),
    class: "name w-name",
    cell: ({ key }) => <Key by={by} of={key} />,
  };
}

/** A link to the Jobs of the group, or the start of the hour or day in UTC. */
function Key({ by, of }: { readonly by: string; readonly of: string }) {
  const { by: _by, ...filters } = route.value.parameters;
  switch (by) {
    case "hour":
    case "day":
      return (
        <span title={`${of} (UTC)`}>{by === "day" ? of.slice(0, 10) : localText(millisOf(of) ?? 0).slice(0, 16)}</span>
      );
    case "owner":
      if (of === "") return <span class="quiet">no owner</span>;
  }
  return (
    <a href={linkTo("jobs", [], { ...filters, [by]: of })} tabIndex={-1}>
      <ClusterText text={of} />
    </a>
  );
}

const COLUMNS: readonly Column<Group>[] = [
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
