import type { CronRunAnswer } from "../../src/query/cron-jobs/cron-run.ts";
import { Panel } from "../shell/panel.tsx";
import { linkToComparison, linkToJob } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import type { CronJobName } from "./cron-requests.ts";

/** Each run, newest first. */
export function RunsPanel({ runs, of }: { readonly runs: readonly CronRunAnswer[]; readonly of: CronJobName }) {
  return (
    <Panel id="runs" title="Runs" remark={plural(runs.length, "Job")}>
      {runs.length === 0 ? null : (
        <VirtualTable label="Runs" rows={runs} columns={columnsFor(of)} keyOf={({ uid }) => uid} height="tall" />
      )}
    </Panel>
  );
}

function columnsFor({ cluster, namespace }: CronJobName): readonly Column<CronRunAnswer>[] {
  return [
    { header: "State", class: "w-state", cell: ({ state }) => <StateBadge state={state} /> },
    {
      header: "Job",
      class: "name w-name",
      cell: ({ name, uid }) => (
        <a href={linkToJob({ cluster, namespace, name, uid })} tabIndex={-1}>
          <ClusterText text={name} />
        </a>
      ),
    },
    { header: "Due", class: "w-instant hide-s", cell: ({ scheduledAt }) => <Moment at={scheduledAt} /> },
    { header: "Start delay", class: "w-time num", cell: ({ delaySeconds }) => seconds(delaySeconds) },
    { header: "Duration", class: "w-time num", cell: ({ durationSeconds }) => seconds(durationSeconds) },
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
    {
      header: "Last good",
      class: "w-time",
      cell: ({ name, uid }) => (
        <a href={linkToComparison({ cluster, namespace, kind: "job", name, uid })}>
          Compare<span class="only-read"> {shownText(name)} with the last good run</span>
        </a>
      ),
    },
  ];
}

function seconds(value: number | undefined): string {
  return value === undefined ? "–" : spanText(value * 1_000);
}
