import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { RUN_STATES } from "../../src/job/model/states.ts";
import { linkToRun } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import type { ListColumn, Value } from "../table/list-column.ts";
import type { OfferedColumns } from "../table/shown-columns.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { millisOf } from "../text/instant-text.ts";
import { Age, Moment } from "../text/moment.tsx";
import { number } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";
import { runDuration, runMillis } from "./run-duration.ts";

const IDENTITY: readonly ListColumn<RunAnswer>[] = [
  {
    id: "state",
    header: "State",
    class: "w-state",
    rem: 8.5,
    shown: "standard",
    cell: ({ verdict: { state, final } }) => <StateBadge state={state} final={final} />,
    order: { by: "state", of: ({ verdict }) => RUN_STATES.indexOf(verdict.state), first: "ascending" },
    fields: { state: ({ verdict }) => verdict.state },
  },
  {
    id: "name",
    header: "Run",
    class: "name",
    rem: 15,
    shown: "always",
    cell: (run) => (
      <>
        <a href={linkToRun(run)} tabIndex={-1}>
          <span class="quiet">{shownText(run.kind)}</span> <ClusterText text={run.name} />
        </a>
        <span class="only-narrow quiet small">
          <ClusterText text={run.cluster} /> / <ClusterText text={run.namespace} />
        </span>
      </>
    ),
    order: { by: "name", of: ({ name }) => name, first: "ascending" },
    fields: { kind: ({ kind }) => kind, name: ({ name }) => name },
  },
  {
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
  },
  textColumn("series", "Series", ({ series }) => series && `${series.kind}/${series.name}`),
  textColumn("queue", "Queue", ({ queue }) => queue?.name),
];

const PROGRESS: readonly ListColumn<RunAnswer>[] = [
  {
    id: "jobs",
    header: "Jobs complete",
    class: "w-num num hide-s",
    rem: 7,
    shown: "standard",
    cell: ({ jobs }) => `${number(jobs.complete)}/${number(jobs.total)}`,
    order: { by: "jobs", of: ({ jobs }) => jobs.complete, first: "descending" },
    fields: {
      jobs: ({ jobs }) => jobs.total,
      jobsComplete: ({ jobs }) => jobs.complete,
      jobsFailed: ({ jobs }) => jobs.failed,
    },
  },
  {
    id: "failedJobs",
    header: "Jobs failed",
    class: "w-num num",
    rem: 7,
    shown: "chosen",
    cell: ({ jobs }) => number(jobs.failed),
    order: { by: "failedJobs", of: ({ jobs }) => jobs.failed, first: "descending" },
    fields: { jobsFailed: ({ jobs }) => jobs.failed },
  },
  {
    id: "attempts",
    header: "Attempts",
    class: "w-num num hide-m",
    rem: 7,
    shown: "standard",
    cell: ({ attempts }) => number(attempts.length),
    order: { by: "attempts", of: ({ attempts }) => attempts.length, first: "descending" },
    fields: { attempts: ({ attempts }) => attempts.length },
  },
];

const TIMES: readonly ListColumn<RunAnswer>[] = [
  {
    id: "duration",
    header: "Duration",
    class: "w-time num hide-s",
    rem: 6,
    shown: "standard",
    cell: runDuration,
    order: { by: "duration", of: runMillis, first: "descending" },
    fields: { durationSeconds: ({ startedAt, finishedAt }) => secondsBetween(startedAt, finishedAt) },
  },
  instantColumn("started", "Started", ({ startedAt }) => startedAt),
  instantColumn("finished", "Finished", ({ finishedAt }) => finishedAt),
  {
    id: "age",
    header: "Age",
    class: "w-time num",
    rem: 6,
    shown: "standard",
    cell: ({ createdAt }) => <Age at={createdAt} />,
    order: { by: "created", of: ({ createdAt }) => millisOf(createdAt), first: "descending", isReversed: true },
    fields: { created: ({ createdAt }) => createdAt },
  },
];

const RESULT: readonly ListColumn<RunAnswer>[] = [
  {
    id: "reserved",
    header: "Reserved",
    class: "w-time num",
    rem: 7,
    shown: "chosen",
    cell: ({ usage }) => (usage === undefined ? "–" : spanText(usage.podSeconds.total * 1_000)),
    order: { by: "reserved", of: ({ usage }) => usage?.podSeconds.total, first: "descending" },
    fields: {
      reservedPodSeconds: ({ usage }) => usage?.podSeconds.total,
      keptPodSeconds: ({ usage }) => usage?.podSeconds.kept,
      reservedCoreSeconds: ({ usage }) => usage?.resources["cpu"]?.total,
    },
  },
  {
    id: "reason",
    header: "Reason",
    class: "hide-m",
    rem: 18,
    shown: "standard",
    cell: (run) => {
      const words = shownText(reasonOf(run) ?? "");
      return <bdi title={words}>{words}</bdi>;
    },
    order: { by: "reason", of: reasonOf, first: "ascending" },
    fields: { reason: ({ verdict }) => verdict.reason, cause: ({ waiting, cause }) => (waiting ?? cause)?.message },
  },
];

/** Every column of the list of runs, in its order. */
export const OFFERED_RUN_COLUMNS: OfferedColumns<RunAnswer> = {
  columns: [...IDENTITY, ...PROGRESS, ...TIMES, ...RESULT],
  labelsOf: ({ labels }) => labels,
};

function textColumn(id: string, header: string, of: (run: RunAnswer) => string | undefined): ListColumn<RunAnswer> {
  return {
    id,
    header,
    class: "w-text",
    rem: 12,
    shown: "chosen",
    cell: (run) => <ClusterText text={of(run) ?? "–"} />,
    order: { by: id, of, first: "ascending" },
    fields: { [id]: of },
  };
}

function instantColumn(id: string, header: string, of: (run: RunAnswer) => string | undefined): ListColumn<RunAnswer> {
  return {
    id,
    header,
    class: "w-instant",
    rem: 10.5,
    shown: "chosen",
    cell: (run) => <Moment at={of(run)} />,
    order: { by: id, of: (run) => millisOf(of(run)), first: "descending" },
    fields: { [id]: of },
  };
}

function secondsBetween(from: string | undefined, to: string | undefined): Value {
  const [start, end] = [millisOf(from), millisOf(to)];
  return start === undefined || end === undefined ? undefined : (end - start) / 1_000;
}

function reasonOf({ verdict, cause, waiting }: RunAnswer): string | undefined {
  const words = [verdict.reason, (waiting ?? cause)?.message].filter((part) => part !== undefined);
  return words.length === 0 ? undefined : words.join(": ");
}
