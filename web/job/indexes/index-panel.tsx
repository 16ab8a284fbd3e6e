import { useMemo, useState } from "preact/hooks";
import type { Attempt } from "../../../src/explain/answer-document.ts";
import { ShapedText } from "../../state/shaped-text.tsx";
import type { State } from "../../state/states.ts";
import type { Column } from "../../table/column.ts";
import { VirtualTable } from "../../table/virtual-table.tsx";
import { ClusterText } from "../../text/cluster-text.tsx";
import { number, plural } from "../../text/plural.ts";
import { shownText } from "../../text/shown-text.ts";
import { endOf } from "../attempt-end.ts";
import { IndexGrid } from "./index-grid.tsx";
import {
  countStates,
  type IndexCells,
  indexCells,
  indexesIn,
  INDEX_STATES,
  type IndexState,
  stateAt,
} from "./index-states.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";
import { Section } from "../section.tsx";

/** The state of each completion index, as a grid and as a table. */
export function IndexPanel({
  job,
  attempts,
}: {
  readonly job: JobWithGenerations;
  readonly attempts: readonly Attempt[];
}) {
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [chosen, setChosen] = useState<IndexState | undefined>(undefined);
  const cells = useMemo(() => indexCells(job, attempts), [job, attempts]);
  const byIndex = useMemo(() => Map.groupBy(attempts, ({ index }) => index), [attempts]);
  const counts = useMemo(() => countStates(cells), [cells]);
  const shown = useMemo(() => indexesIn(cells, chosen), [cells, chosen]);
  const columns = useMemo(() => columnsOf(cells, byIndex), [cells, byIndex]);
  return (
    <Section id="indexes" title="Indexes" remark={plural(job.spec.completions ?? 0, "index", "indexes")}>
      <div class="inside grid-and-table">
        <div>
          <IndexGrid cells={cells} onPoint={setPointed} />
          <p class="hovered quiet">
            {pointed === undefined ? "Point at a cell for details." : describeIndex(pointed, cells, byIndex)}
          </p>
        </div>
        <div>
          <StateFilter counts={counts} chosen={chosen} onChoose={setChosen} />
          {shown.length === 0 ? (
            <p class="quiet">No index has this state.</p>
          ) : (
            <VirtualTable label="Indexes" rows={shown} columns={columns} keyOf={String} height="tall" />
          )}
        </div>
      </div>
    </Section>
  );
}

interface StateFilterProps {
  readonly counts: Readonly<Record<IndexState, number>>;
  readonly chosen: IndexState | undefined;
  readonly onChoose: (state: IndexState | undefined) => void;
}

function StateFilter({ counts, chosen, onChoose }: StateFilterProps) {
  return (
    <div class="chips" role="group" aria-label="States of the indexes">
      {INDEX_STATES.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={chosen === state}
          onClick={() => onChoose(chosen === state ? undefined : state)}
        >
          <IndexBadge state={state} /> {number(counts[state])}
        </button>
      ))}
    </div>
  );
}

type ByIndex = ReadonlyMap<number | undefined, readonly Attempt[]>;

function columnsOf(cells: IndexCells, byIndex: ByIndex): readonly Column<number>[] {
  const last = (index: number): Attempt | undefined => byIndex.get(index)?.at(-1);
  return [
    { header: "Index", class: "w-time num", cell: (index) => index },
    { header: "State", class: "w-state", cell: (index) => <IndexBadge state={stateAt(cells, index)} /> },
    { header: "Pods", class: "w-time num", cell: (index) => byIndex.get(index)?.length ?? 0 },
    {
      header: "Last Pod",
      class: "w-rest mono",
      cell: (index) => {
        const pod = last(index);
        return pod === undefined ? "" : <ClusterText text={`${pod.name} ${endOf(pod)}`} />;
      },
    },
  ];
}

function IndexBadge({ state }: { readonly state: IndexState }) {
  return <ShapedText like={LIKE[state]}>{state}</ShapedText>;
}

const LIKE: Readonly<Record<IndexState, State>> = {
  Pending: "Pending",
  Active: "Running",
  Succeeded: "Complete",
  Failed: "Failed",
};

function describeIndex(index: number, cells: IndexCells, byIndex: ByIndex): string {
  const pods = byIndex.get(index) ?? [];
  const tries = pods.map((pod) => `${shownText(pod.name)} ${pod.outcome} ${endOf(pod)}`.trim()).join("; ");
  return `Index ${number(index)}: ${stateAt(cells, index)}${tries === "" ? "" : `. ${tries}`}`;
}
