import { useState } from "preact/hooks";
import type { HistoryEntry } from "../../src/query/job/job-history.ts";
import { useLive } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { WithLive } from "../shell/with-live.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { setParameters } from "../shell/location.ts";
import { loadHistory } from "./job-requests.ts";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { FirstRowsNote } from "./first-rows-note.tsx";
import { Section } from "./section.tsx";

/** New facts about one Job are rare, so the history is read again once a minute only. */
const HISTORY_INTERVAL = 60_000;

/** All facts in order. Each row opens the Job as of that time. */
export function HistoryPanel({ job }: { readonly job: JobWithGenerations }) {
  const live = useLive(job.uid, loadHistory(job), { everyMillis: HISTORY_INTERVAL }).value;
  const count = live.phase === "answered" ? plural(live.answer.items.length, "fact") : "";
  return (
    <Section id="history" title="History" remark={count} long>
      <WithLive live={live} what="the history">
        {({ items, more }) => <HistoryList items={items} more={more} onOpen={openAsOf} />}
      </WithLive>
    </Section>
  );
}

function openAsOf(time: string): void {
  setParameters({ asOf: time }, "push");
}

interface HistoryListProps extends ReadPages<HistoryEntry> {
  /** Opens the Job as of a time. */
  readonly onOpen: (time: string) => void;
}

/** Facts with a search over them. */
export function HistoryList({ items, more, onOpen }: HistoryListProps) {
  const [words, setWords] = useState("");
  return (
    <>
      <div class="inside filters no-print">
        <label class="wide">
          Search the history
          <input
            type="search"
            data-filter
            placeholder="A Pod, a kind of fact, a reason …"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
      </div>
      <VirtualTable
        label="History"
        rows={entriesWith(items, words)}
        columns={columnsFor(onOpen)}
        keyOf={({ entry, position }) => `${position} ${entry.resourceVersion}`}
        onOpen={({ entry }) => onOpen(entry.time)}
        height="tall"
      />
      {more ? <FirstRowsNote shown={items.length} command="history" /> : null}
    </>
  );
}

interface NumberedEntry {
  readonly entry: HistoryEntry;
  /** Its position in the history. Two facts can be equal in everything else. */
  readonly position: number;
}

function entriesWith(items: readonly HistoryEntry[], words: string): readonly NumberedEntry[] {
  const wanted = words.toLowerCase();
  return items
    .map((entry, position) => ({ entry, position }))
    .filter(({ entry }) => `${entry.kind} ${entry.object} ${entry.detail}`.toLowerCase().includes(wanted));
}

/** A lower bound is marked: the fact may have become true later. */
function FactTime({ time, bound }: HistoryEntry) {
  if (bound === undefined) return <Moment at={time} />;
  return (
    <span title="Lower bound: the arrival time is unknown">
      ≥ <Moment at={time} />
    </span>
  );
}

function columnsFor(onOpen: HistoryListProps["onOpen"]): readonly Column<NumberedEntry>[] {
  return [
    ...COLUMNS,
    {
      header: "As of then",
      class: "w-num hide-m no-print",
      cell: ({ entry }) => (
        <button type="button" class="bare" tabIndex={-1} onClick={() => onOpen(entry.time)}>
          Open
        </button>
      ),
    },
  ];
}

const COLUMNS: readonly Column<NumberedEntry>[] = [
  { header: "Time", class: "w-instant", cell: ({ entry }) => <FactTime {...entry} /> },
  { header: "Fact", class: "w-instant", cell: ({ entry }) => entry.kind },
  { header: "Object", class: "mono w-name hide-s", cell: ({ entry }) => <ClusterText text={entry.object ?? ""} /> },
  { header: "Detail", class: "w-rest", cell: ({ entry }) => <ClusterText text={entry.detail ?? ""} /> },
  { header: "resourceVersion", class: "w-instant num hide-m", cell: ({ entry }) => entry.resourceVersion },
];
