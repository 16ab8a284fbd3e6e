import { useMemo } from "preact/hooks";
import type { CronRunAnswer } from "../../src/query/cron-jobs/cron-run.ts";
import { Panel } from "../shell/panel.tsx";
import { linkToComparison, linkToJob } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { STATES } from "../state/states.ts";
import type { Column } from "../table/column.ts";
import { useSorting } from "../table/use-sorting.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { millisOf } from "../text/instant-text.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import type { CronJobName } from "./cron-requests.ts";

/** Each run, newest first. */
export function RunsPanel({ runs, of }: { readonly runs: readonly CronRunAnswer[]; readonly of: CronJobName }) {
  return (
    <Panel id="runs" title="Runs" remark={plural(runs.length, "Job")}>
      {runs.length === 0 ? null : <RunsTable runs={runs} of={of} />}
    </Panel>
  );
}

function RunsTable({ runs, of }: { readonly runs: readonly CronRunAnswer[]; readonly of: CronJobName }) {
  const columns = useMemo(() => columnsFor(of), [of.cluster, of.namespace]);
  const { rows, sorting } = useSorting({ rows: runs, columns, parameter: "sortRuns" });
  return <VirtualTable label="Runs" rows={rows} columns={columns} keyOf={keyOf} height="tall" sorting={sorting} />;
}

function keyOf({ uid }: CronRunAnswer): string {
  return uid;
}

function columnsFor({ cluster, namespace }: CronJobName): readonly Column<CronRunAnswer>[] {
  const name: Column<CronRunAnswer> = {
    header: "Job",
    class: "name w-name",
    cell: (run) => (
      <a href={linkToJob({ cluster, namespace, name: run.name, uid: run.uid })} tabIndex={-1}>
        <ClusterText text={run.name} />
      </a>
    ),
  };
  const comparison: Column<CronRunAnswer> = {
    header: "Last good",
    class: "w-num",
    // Its Job has the same link, which is enough for the keyboard: one stop in each row would be many.
    cell: (run) => (
      <a href={linkToComparison({ cluster, namespace, kind: "job", name: run.name, uid: run.uid })} tabIndex={-1}>
        Compare<span class="only-read"> {shownText(run.name)} with the last good run</span>
      </a>
    ),
  };
  return [STATE, name, ...OTHERS, comparison];
}

const STATE: Column<CronRunAnswer> = {
  header: "State",
  class: "w-state",
  cell: ({ state }) => <StateBadge state={state} />,
  order: { by: "state", of: ({ state }) => STATES.indexOf(state), first: "ascending" },
};

const OTHERS: readonly Column<CronRunAnswer>[] = [
  {
    header: "Due",
    class: "w-instant hide-s",
    cell: ({ scheduledAt }) => <Moment at={scheduledAt} />,
    order: { by: "due", of: ({ scheduledAt }) => millisOf(scheduledAt), first: "descending" },
  },
  {
    header: "Start delay",
    class: "w-time num hide-s",
    cell: ({ delaySeconds }) => seconds(delaySeconds),
    order: { by: "delay", of: ({ delaySeconds }) => delaySeconds, first: "descending" },
  },
  {
    header: "Duration",
    class: "w-state num",
    cell: ({ durationSeconds }) => seconds(durationSeconds),
    order: { by: "duration", of: ({ durationSeconds }) => durationSeconds, first: "descending" },
  },
  {
    header: "Findings",
    class: "w-rest hide-m",
    cell: ({ attention, reason }) => (
      <>
        {reason === "CompletionsReached" || reason === undefined ? null : <ClusterText text={reason} />}{" "}
        {attention ? <span class="tag warn">has findings</span> : null}
      </>
    ),
  },
];

function seconds(value: number | undefined): string {
  return value === undefined ? "–" : spanText(value * 1_000);
}
