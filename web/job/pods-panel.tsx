import type { Attempt } from "../../src/explain/answer-document.ts";
import type { Live } from "../ask/live.ts";
import type { ReadPages } from "../ask/read-pages.ts";
import { WithAnswer } from "../shell/with-answer.tsx";
import { OutcomeBadge } from "../state/outcome-badge.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { endOf, ranFor } from "./attempt-end.ts";
import { OnlyFirst } from "./only-first.tsx";
import { Section } from "./section.tsx";
import { who } from "./verdict-panel.tsx";

/** Every Pod that the Job ever had. */
export function PodsPanel({ pods, seen }: { readonly pods: Live<ReadPages<Attempt>>; readonly seen: number }) {
  return (
    <Section id="pods" title="Pods, every one there ever was" remark={plural(seen, "Pod")} long>
      <WithAnswer live={pods} what="the Pods">
        {({ items, more }) => (
          <>
            {items.length === 0 ? (
              <p class="inside quiet">No Pod of this Job was ever seen.</p>
            ) : (
              <VirtualTable
                label="Pods"
                rows={items}
                columns={columnsFor(items)}
                keyOf={({ uid }) => uid}
                height="tall"
              />
            )}
            {more ? <OnlyFirst shown={items.length} command="pods" /> : null}
          </>
        )}
      </WithAnswer>
    </Section>
  );
}

function columnsFor(attempts: readonly Attempt[]): readonly Column<Attempt>[] {
  return attempts.some(({ index }) => index !== undefined) ? [INDEX, ...COLUMNS] : COLUMNS;
}

const INDEX: Column<Attempt> = { header: "Index", class: "w-time num", cell: ({ index }) => index ?? "–" };

const COLUMNS: readonly Column<Attempt>[] = [
  { header: "Outcome", class: "w-state", cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  { header: "Pod", class: "mono w-pod", cell: ({ name }) => <ClusterText text={name} /> },
  { header: "How it ended", class: "w-rest", cell: endOf },
  { header: "Restarts", class: "w-count num hide-s", cell: ({ restarts }) => restarts },
  { header: "Ran", class: "w-count num hide-s", cell: ranFor },
  { header: "Created", class: "w-instant hide-m", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    header: "Node",
    class: "w-by hide-m",
    cell: ({ node }) => (node === undefined ? <span class="quiet">never bound</span> : <ClusterText text={node} />),
  },
  {
    header: "Deleted by",
    class: "w-by hide-s",
    cell: ({ deletedAt, deletedBy }) =>
      deletedBy === undefined ? (
        deletedAt === undefined ? (
          ""
        ) : (
          "nobody knows"
        )
      ) : (
        <bdi title={deletedBy.cause}>{who(deletedBy)}</bdi>
      ),
  },
];
