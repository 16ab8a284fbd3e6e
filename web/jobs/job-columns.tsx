import { linkToJob } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import type { Column } from "../table/column.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age, Moment } from "../text/moment.tsx";
import { number } from "../text/plural.ts";
import { spanText } from "../text/span-text.ts";
import { now } from "../shell/clock.ts";
import type { JobListRow } from "./job-list-row.ts";

export const JOB_COLUMNS: readonly Column<JobListRow>[] = [
  {
    header: "State",
    class: "w-state",
    cell: ({ state, final }) => <StateBadge state={state} final={final} />,
  },
  {
    header: "Name",
    class: "name w-name",
    cell: (row) => (
      <a href={linkToJob(row)} tabIndex={-1}>
        <ClusterText text={row.name} />
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
    header: "Completions",
    class: "w-num num",
    cell: ({ succeeded, completions }) =>
      completions === undefined ? number(succeeded) : `${number(succeeded)}/${number(completions)}`,
  },
  { header: "Duration", class: "w-time num hide-s", cell: (row) => durationOf(row) },
  { header: "Age", class: "w-time num", cell: ({ createdAt }) => <Age at={createdAt} /> },
  { header: "Findings", class: "w-rest hide-m", cell: findingTags },
];

function durationOf({ startedAt, finishedAt, state }: JobListRow) {
  if (startedAt === undefined) return "–";
  const end = finishedAt ?? (state === "Running" ? now.value : undefined);
  return end === undefined ? "–" : spanText(end - startedAt);
}

function findingTags({ findings, reason, cause, state, podsUnread, incomplete, staleSince, deleted }: JobListRow) {
  return (
    <>
      {state === "Failed" && reason !== undefined ? <ClusterText text={`${reason} `} /> : null}
      {cause === undefined ? null : <ClusterText text={`${cause} `} />}
      {findings.map((kind) => (
        <span key={kind} class="tag warn">
          {kind}
        </span>
      ))}{" "}
      {podsUnread ? (
        <span
          class="tag"
          title="The list does not read the Pods of a large Job. Open it for all findings and its cause."
        >
          open for more
        </span>
      ) : null}
      {incomplete ? <span class="tag warn">gaps</span> : null}
      {staleSince === undefined ? null : (
        <span class="tag warn" title="The cluster has been silent since then: this is the last known state.">
          stale since <Moment at={staleSince} />
        </span>
      )}{" "}
      {deleted ? <span class="tag">deleted</span> : null}
    </>
  );
}
