import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { linkToRun } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import type { Column } from "../table/column.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age } from "../text/moment.tsx";
import { number } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { runDuration } from "./run-duration.ts";

export const RUN_COLUMNS: readonly Column<RunAnswer>[] = [
  {
    header: "State",
    class: "w-state",
    cell: ({ verdict: { state, final } }) => <StateBadge state={state} final={final} />,
  },
  {
    header: "Run",
    class: "name w-name",
    cell: (run) => (
      <a href={linkToRun(run)} tabIndex={-1}>
        <span class="quiet">{shownText(run.kind)}</span> <ClusterText text={run.name} />
      </a>
    ),
  },
  {
    header: "Cluster / namespace",
    class: "w-place quiet hide-s",
    cell: ({ cluster, namespace }) => (
      <>
        <ClusterText text={cluster} /> / <ClusterText text={namespace} />
      </>
    ),
  },
  {
    header: "Jobs complete",
    class: "w-num num",
    cell: ({ jobs }) => `${number(jobs.complete)}/${number(jobs.total)}`,
  },
  { header: "Attempts", class: "w-num num hide-m", cell: ({ attempts }) => number(attempts.length) },
  { header: "Duration", class: "w-time num hide-s", cell: runDuration },
  { header: "Age", class: "w-time num", cell: ({ createdAt }) => <Age at={createdAt} /> },
  { header: "Reason", class: "w-rest hide-m", cell: reasonOf },
];

function reasonOf({ verdict, cause, waiting }: RunAnswer) {
  const reason = verdict.reason === undefined ? "" : shownText(verdict.reason);
  const message = (waiting ?? cause)?.message;
  return (
    <>
      {reason} {message === undefined ? null : <ClusterText text={message} />}
    </>
  );
}
