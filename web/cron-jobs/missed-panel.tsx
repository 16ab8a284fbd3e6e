import type { MissedRun } from "../../src/query/cron-jobs/cron-run.ts";
import { Panel } from "../shell/panel.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { Age, Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";

/** The times at which a run was due and no Job was created. */
export function MissedPanel({ missed }: { readonly missed: readonly MissedRun[] }) {
  return (
    <Panel id="missed" title="Missed runs" remark={missed.length === 0 ? "None." : plural(missed.length, "time")}>
      {missed.length === 0 ? null : (
        <VirtualTable label="Missed runs" rows={missed} columns={COLUMNS} keyOf={({ dueAt }) => dueAt} height="tall" />
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<MissedRun>[] = [
  { header: "Due", class: "w-instant", cell: ({ dueAt }) => <Moment at={dueAt} /> },
  { header: "Ago", class: "w-time num", cell: ({ dueAt }) => <Age at={dueAt} /> },
  {
    header: "Reason",
    class: "w-rest",
    cell: ({ cause, during, mayStartLate }) => {
      if (cause === "skipped") return `skipped: run ${shownText(during ?? "")} was active (concurrencyPolicy Forbid)`;
      return mayStartLate === true ? "no run was created yet; it may start late" : "no run was created";
    },
  },
];
