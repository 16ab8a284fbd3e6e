import type { Attempt } from "../../src/explain/answer-document.ts";
import type { Live } from "../api/live.ts";
import type { ReadPages } from "../api/read-pages.ts";
import { WithLive } from "../shell/with-live.tsx";
import { linkToPod } from "../shell/route.ts";
import { OutcomeBadge } from "../state/outcome-badge.tsx";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { endOf, ranFor } from "./attempt-end.ts";
import { FirstRowsNote } from "./first-rows-note.tsx";
import type { JobWithGenerations } from "./job-with-generations.ts";
import { LogLinks } from "./log-links.tsx";
import { Section } from "./section.tsx";
import { attributionText } from "./attribution-text.ts";

interface PodsPanelProps {
  readonly job: JobWithGenerations;
  readonly pods: Live<ReadPages<Attempt>>;
}

/** Every Pod that the Job has had. */
export function PodsPanel({ job, pods }: PodsPanelProps) {
  return (
    <Section id="pods" title="All Pods" remark={plural(job.pods.seen, "Pod")} long>
      <WithLive live={pods} what="the Pods">
        {({ items, more }) => (
          <>
            <VirtualTable
              label="Pods"
              rows={items}
              columns={columnsFor(job, items)}
              keyOf={({ uid }) => uid}
              onOpen={(attempt) => (location.hash = hrefOf(job, attempt))}
              height="tall"
            />
            {more ? <FirstRowsNote shown={items.length} command="pods" /> : null}
          </>
        )}
      </WithLive>
    </Section>
  );
}

function hrefOf(job: JobWithGenerations, { uid }: Attempt): string {
  return linkToPod({ ...job, job: job.name, jobUid: job.uid, uid });
}

function columnsFor(job: JobWithGenerations, attempts: readonly Attempt[]): readonly Column<Attempt>[] {
  const indexed = attempts.some(({ index }) => index !== undefined);
  const logged = attempts.some(({ logs = [] }) => logs.length > 0);
  const [outcome, ...others] = COLUMNS;
  const name: Column<Attempt> = {
    header: "Pod",
    class: "mono w-pod",
    cell: (attempt) => (
      <a href={hrefOf(job, attempt)} tabIndex={-1}>
        <ClusterText text={attempt.name} />
      </a>
    ),
  };
  return [...(indexed ? [INDEX] : []), outcome, name, ...others, ...(logged ? [LOGS] : [])];
}

const LOGS: Column<Attempt> = {
  header: "Logs",
  class: "w-by",
  cell: ({ name, logs = [] }) => <LogLinks links={logs.map((link) => ({ pod: name, ...link }))} short />,
};

const INDEX: Column<Attempt> = { header: "Index", class: "w-time num", cell: ({ index }) => index ?? "–" };

const COLUMNS: readonly [Column<Attempt>, ...Column<Attempt>[]] = [
  { header: "Outcome", class: "w-state", cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
  { header: "How it ended", class: "w-rest", cell: endOf },
  { header: "Restarts", class: "w-count num hide-s", cell: ({ restarts }) => restarts },
  { header: "Ran", class: "w-count num hide-s", cell: ranFor },
  { header: "Created", class: "w-instant hide-m", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    header: "Node",
    class: "w-by hide-m",
    cell: ({ node }) => (node === undefined ? <span class="quiet">not scheduled</span> : <ClusterText text={node} />),
  },
  {
    header: "Deleted by",
    class: "w-by hide-s",
    cell: ({ deletedAt, deletedBy }) =>
      deletedBy === undefined ? (
        deletedAt === undefined ? (
          ""
        ) : (
          "unknown"
        )
      ) : (
        <bdi title={deletedBy.cause}>{attributionText(deletedBy)}</bdi>
      ),
  },
];
