import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import type { RunEvent } from "../../src/query/runs/run-history.ts";
import { useLive } from "../api/live.ts";
import { FirstRowsNote } from "../job/first-rows-note.tsx";
import { Panel } from "../shell/panel.tsx";
import { WithLive } from "../shell/with-live.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { loadRunHistory } from "./run-requests.ts";

const HISTORY_INTERVAL = 60_000;

/** What happened to the objects of the run and to its Jobs. The facts about a Job are in its own history. */
export function RunHistoryPanel({ run }: { readonly run: RunAnswer }) {
  const { cluster, namespace, kind, name, uid } = run;
  const key = JSON.stringify([cluster, namespace, kind, name, uid]);
  const live = useLive(key, loadRunHistory(run), { everyMillis: HISTORY_INTERVAL }).value;
  const count = live.phase === "answered" ? plural(live.answer.items.length, "event") : "";
  return (
    <Panel id="history" title="History" remark={count} long>
      <WithLive live={live} what="the history">
        {({ items, more }) => (
          <>
            <VirtualTable
              label="History"
              rows={items.map((event, position) => ({ ...event, position }))}
              columns={COLUMNS}
              keyOf={({ position }) => String(position)}
              height="tall"
            />
            {more ? <FirstRowsNote shown={items.length} command="history" /> : null}
          </>
        )}
      </WithLive>
    </Panel>
  );
}

const COLUMNS: readonly Column<RunEvent>[] = [
  { header: "Time", class: "w-instant", cell: ({ time }) => <Moment at={time} /> },
  { header: "Event", class: "w-instant", cell: ({ kind }) => kind },
  { header: "Object", class: "mono w-name hide-s", cell: ({ object }) => <ClusterText text={object} /> },
  { header: "Detail", class: "w-rest", cell: ({ detail }) => <ClusterText text={detail ?? ""} /> },
];
