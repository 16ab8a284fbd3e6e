import { formatInstant } from "../../src/job/model/instant.ts";
import { now } from "../shell/clock.ts";
import { linkToJob } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { STATES } from "../state/states.ts";
import type { ListColumn } from "../table/list-column.ts";
import { type OfferedColumns, shownColumns } from "../table/shown-columns.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { localTime, millisOf } from "../text/instant-text.ts";
import { Age, Moment } from "../text/moment.tsx";
import { number } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import type { JobListRow } from "./job-list-row.ts";

const STATE: ListColumn<JobListRow> = {
  id: "state",
  header: "State",
  class: "w-state",
  rem: 8.5,
  shown: "standard",
  cell: ({ state, final }) => <StateBadge state={state} final={final} />,
  order: { by: "state", of: ({ state }) => STATES.indexOf(state), first: "ascending" },
  fields: { state: ({ state }) => state },
};

const NAME: ListColumn<JobListRow> = {
  id: "name",
  header: "Name",
  class: "name",
  rem: 15,
  shown: "always",
  cell: (row) => (
    <>
      <a href={linkToJob(row)} tabIndex={-1}>
        <ClusterText text={row.name} />
      </a>
      <span class="only-narrow quiet small">
        <ClusterText text={row.cluster} /> / <ClusterText text={row.namespace} />
      </span>
    </>
  ),
  order: { by: "name", of: ({ name }) => name, first: "ascending" },
  fields: { name: ({ name }) => name },
};

const PLACE: ListColumn<JobListRow> = {
  id: "place",
  header: "Cluster / namespace",
  class: "w-place quiet hide-s",
  rem: 14.5,
  shown: "standard",
  cell: ({ cluster, namespace }) => (
    <>
      <ClusterText text={cluster} /> / <ClusterText text={namespace} />
    </>
  ),
  order: { by: "place", of: ({ cluster, namespace }) => `${cluster} ${namespace}`, first: "ascending" },
  fields: { cluster: ({ cluster }) => cluster, namespace: ({ namespace }) => namespace },
};

/** What a Job belongs to. */
function lineage(id: "owner" | "run" | "series", header: string): ListColumn<JobListRow> {
  return {
    id,
    header,
    class: "w-text",
    rem: 12,
    shown: "chosen",
    cell: (row) => <TextOrDash text={row[id]} />,
    order: { by: id, of: (row) => row[id], first: "ascending" },
    fields: { [id]: (row) => row[id] },
  };
}

const COMPLETIONS: ListColumn<JobListRow> = {
  id: "completions",
  header: "Completions",
  class: "w-num num hide-s",
  rem: 7,
  shown: "standard",
  cell: ({ succeeded, completions }) =>
    completions === undefined ? number(succeeded) : `${number(succeeded)}/${number(completions)}`,
  order: { by: "completions", of: ({ succeeded }) => succeeded, first: "descending" },
  fields: { succeeded: ({ succeeded }) => succeeded, completions: ({ completions }) => completions },
};

const FAILED_PODS: ListColumn<JobListRow> = {
  id: "failedPods",
  header: "Failed Pods",
  class: "w-num num",
  rem: 7,
  shown: "chosen",
  cell: ({ failedPods }) => number(failedPods),
  order: { by: "failedPods", of: ({ failedPods }) => failedPods, first: "descending" },
  fields: { failedPods: ({ failedPods }) => failedPods },
};

const DURATION: ListColumn<JobListRow> = {
  id: "duration",
  header: "Duration",
  class: "w-time num hide-s",
  rem: 6,
  shown: "standard",
  cell: (row) => {
    const millis = durationOf(row);
    return millis === undefined ? "–" : spanText(millis);
  },
  order: { by: "duration", of: durationOf, first: "descending" },
  fields: { durationSeconds: secondsOf },
};

function instant(id: "started" | "finished", header: string): ListColumn<JobListRow> {
  const of = ({ startedAt, finishedAt }: JobListRow): number | undefined => (id === "started" ? startedAt : finishedAt);
  return {
    id,
    header,
    class: "w-instant",
    rem: 10.5,
    shown: "chosen",
    cell: (row) => <Moment at={text(of(row))} />,
    order: { by: id, of, first: "descending" },
    fields: { [id]: (row) => text(of(row)) },
  };
}

const EXPECTED_END: ListColumn<JobListRow> = {
  id: "expectedEnd",
  header: "Expected end",
  class: "w-instant",
  rem: 10.5,
  shown: "chosen",
  cost: "reads each running Job",
  cell: ({ expectedEnd }) =>
    expectedEnd === undefined ? (
      <span class="quiet">–</span>
    ) : (
      <span title="By past runs, half would end by the first time, and nine in ten by the second.">
        {localTime(expectedEnd.p50)} – {localTime(expectedEnd.p90)}
      </span>
    ),
  order: { by: "expectedEnd", of: ({ expectedEnd }) => expectedEnd?.p50, first: "ascending" },
  fields: {
    expectedEndP50: ({ expectedEnd }) => text(expectedEnd?.p50),
    expectedEndP90: ({ expectedEnd }) => text(expectedEnd?.p90),
  },
};

const AGE: ListColumn<JobListRow> = {
  id: "age",
  header: "Age",
  class: "w-time num",
  rem: 6,
  shown: "standard",
  cell: ({ createdAt }) => <Age at={createdAt} />,
  order: { by: "created", of: ({ createdAt }) => millisOf(createdAt), first: "descending", isReversed: true },
  fields: { created: ({ createdAt }) => createdAt },
};

const RESERVED: ListColumn<JobListRow> = {
  id: "reserved",
  header: "Reserved",
  class: "w-time num",
  rem: 7,
  shown: "chosen",
  cost: "of Jobs that are over",
  cell: ({ reserved }) =>
    reserved === undefined ? (
      <span class="quiet" title="The Job is not over, or has ended since the list was read: press r.">
        –
      </span>
    ) : (
      <span title="The time of its Pods, from the binding to a node until the release">
        {spanText(reserved.podSeconds * 1_000)}
      </span>
    ),
  order: { by: "reserved", of: ({ reserved }) => reserved?.podSeconds, first: "descending" },
  fields: {
    reservedPodSeconds: ({ reserved }) => reserved?.podSeconds,
    keptPodSeconds: ({ reserved }) => reserved?.keptPodSeconds,
    reservedCoreSeconds: ({ reserved }) => reserved?.coreSeconds,
  },
};

const CAUSE: ListColumn<JobListRow> = {
  id: "cause",
  header: "Cause",
  class: "hide-m",
  rem: 18,
  shown: "standard",
  cell: (row) => {
    const words = shownText(causeOf(row) ?? "");
    return <bdi title={words}>{words}</bdi>;
  },
  order: { by: "cause", of: causeOf, first: "ascending" },
  fields: { reason: ({ reason }) => reason, cause: ({ cause }) => cause },
};

const FINDINGS: ListColumn<JobListRow> = {
  id: "findings",
  header: "Findings",
  class: "w-text hide-m",
  rem: 12,
  shown: "standard",
  cell: findingTags,
  order: { by: "findings", of: ({ findings }) => findings.length, first: "descending" },
  fields: { findings: ({ findings }) => findings },
};

/** Every column of a list of Jobs, in its order. */
export const OFFERED_JOB_COLUMNS: OfferedColumns<JobListRow> = {
  columns: [
    STATE,
    NAME,
    PLACE,
    lineage("owner", "Owner"),
    lineage("run", "Run"),
    lineage("series", "Series"),
    COMPLETIONS,
    FAILED_PODS,
    DURATION,
    instant("started", "Started"),
    instant("finished", "Finished"),
    EXPECTED_END,
    AGE,
    RESERVED,
    CAUSE,
    FINDINGS,
  ],
  labelsOf: ({ labels }) => labels,
};

/** The standard columns, for other tables of Jobs. */
export const JOB_COLUMNS = shownColumns(undefined, OFFERED_JOB_COLUMNS);

function TextOrDash({ text: known }: { readonly text: string | undefined }) {
  return known === undefined ? <span class="quiet">–</span> : <ClusterText text={known} />;
}

/** In milliseconds. */
function durationOf({ startedAt, finishedAt, state }: JobListRow): number | undefined {
  const end = finishedAt ?? (state === "Running" ? now.value : undefined);
  return startedAt === undefined || end === undefined ? undefined : end - startedAt;
}

/** That of a running Job would change: only a finished one has it. */
function secondsOf({ startedAt, finishedAt }: JobListRow): number | undefined {
  return startedAt === undefined || finishedAt === undefined ? undefined : (finishedAt - startedAt) / 1_000;
}

function text(millis: number | undefined): string | undefined {
  return millis === undefined ? undefined : formatInstant(millis);
}

function causeOf({ state, reason, cause }: JobListRow): string | undefined {
  const words = [state === "Failed" ? reason : undefined, cause].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : words.join(": ");
}

function findingTags({ findings, podsUnread, incomplete, staleSince, deleted }: JobListRow) {
  return (
    <>
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
        <span class="tag warn" title="The cluster has sent no data for this long: this is the last known state.">
          stale for <Age at={staleSince} />
        </span>
      )}{" "}
      {deleted ? <span class="tag">deleted</span> : null}
    </>
  );
}
