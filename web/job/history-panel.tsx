import { useState } from "preact/hooks";
import type { HistoryEntry } from "../../src/query/job/job-history.ts";
import { useLive } from "../ask/live.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { setParameters } from "../shell/location.ts";
import { askHistory } from "./job-question.ts";
import type { OneJob } from "./one-job.ts";
import { OnlyFirst } from "./only-first.tsx";
import { Section } from "./section.tsx";

/** Facts come seldom to a Job that is looked at: the history is read again once a minute. */
const HISTORY_AGAIN = 60_000;

/** What happened, fact by fact. From any of them the Job can be seen as it was known then. */
export function HistoryPanel({ job }: { readonly job: OneJob }) {
  const [words, setWords] = useState("");
  const live = useLive(job.uid, askHistory(job), { everyMillis: HISTORY_AGAIN }).value;
  const count = live.phase === "answered" ? plural(live.answer.items.length, "fact") : "";
  return (
    <Section id="history" title="History" remark={count} long>
      <WithAnswer live={live} what="the history">
        {({ items, more }) => (
          <>
            <div class="inside filters no-print">
              <label class="wide">
                Text in the facts
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
              columns={COLUMNS}
              keyOf={({ entry, at }) => `${at} ${entry.resourceVersion}`}
              onOpen={({ entry }) => setParameters({ asOf: entry.time }, "push")}
              height="tall"
            />
            {more ? <OnlyFirst shown={items.length} command="history" /> : null}
          </>
        )}
      </WithAnswer>
    </Section>
  );
}

interface PlacedEntry {
  readonly entry: HistoryEntry;
  /** Its place in the whole history: two facts may say the same of the same instant. */
  readonly at: number;
}

function entriesWith(items: readonly HistoryEntry[], words: string): readonly PlacedEntry[] {
  const wanted = words.toLowerCase();
  return items
    .map((entry, at) => ({ entry, at }))
    .filter(({ entry }) => `${entry.kind} ${entry.object} ${entry.detail}`.toLowerCase().includes(wanted));
}

const COLUMNS: readonly Column<PlacedEntry>[] = [
  { header: "Time", class: "w-instant", cell: ({ entry }) => <Moment at={entry.time} /> },
  { header: "Fact", class: "w-instant", cell: ({ entry }) => entry.kind },
  { header: "Object", class: "mono w-name hide-s", cell: ({ entry }) => <ClusterText text={entry.object ?? ""} /> },
  { header: "What was seen", class: "w-rest", cell: ({ entry }) => <ClusterText text={entry.detail ?? ""} /> },
  { header: "resourceVersion", class: "w-num num hide-m", cell: ({ entry }) => entry.resourceVersion },
  {
    header: "As of then",
    class: "w-num hide-m no-print",
    cell: ({ entry }) => (
      <button type="button" class="bare" tabIndex={-1} onClick={() => setParameters({ asOf: entry.time }, "push")}>
        See the Job
      </button>
    ),
  },
];
