import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Verdict } from "../../src/job/status/job-verdict.ts";
import { parseInstant } from "../../src/job/model/instant.ts";
import { stateText } from "../../src/explain/state-text.ts";
import { completionsText } from "../../src/explain/completions-text.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { jobRunTime } from "../../src/job/status/job-duration.ts";
import { shareText } from "../../src/explain/usage/usage-text.ts";
import { reservedText } from "./reserved-text.ts";
import { needlessRuns } from "../../src/job/accounting/needless-runs.ts";
import type { Column } from "./table.ts";

interface ShownColumns {
  readonly cluster: boolean;
  readonly namespace: boolean;
  /** How long Jobs in progress will take. @default false */
  readonly expected?: boolean;
}

/** The columns of Jobs, those of `kubectl get jobs` first. `now` is the time of printing. */
export function jobColumns(now: number, shown: ShownColumns): readonly Column<JobAnswer>[] {
  const columns: readonly Column<JobAnswer>[] = [
    { header: "NAME", cell: ({ name }) => name },
    { header: "STATUS", cell: stateText, paint: ({ verdict }) => STATE_COLOURS[verdict.state] },
    { header: "COMPLETIONS", cell: completionsText },
    { header: "DURATION", cell: (job) => duration(job, now), csv: [DURATION_SECONDS] },
    { header: "AGE", cell: ({ createdAt }) => age(createdAt, now), csv: INSTANTS },
    { header: "FINDINGS", cell: findingKinds, paint: ({ findings }) => (findings.length > 0 ? "yellow" : undefined) },
    { header: "CAUSE", cell: ({ waiting, cause }) => (waiting ?? cause)?.message },
    { header: "RESPONSIBLE", wide: true, cell: ({ cause }) => cause?.responsible },
    { header: "RETRY", wide: true, cell: ({ cause }) => cause?.retry },
    ...(shown.expected === true ? EXPECTED : []),
    { header: "PODS", wide: true, cell: ({ pods }) => pods.seen },
    { header: "RESERVED", wide: true, cell: reserved, csv: RESERVED },
    { header: "KEPT", wide: true, cell: kept, csv: [] },
    { header: "RE-RUNS", wide: true, cell: needlessRuns },
    { header: "REASON", wide: true, cell: ({ verdict }) => verdict.reason },
    { header: "BASIS", wide: true, cell: ({ verdict }) => verdict.basis },
    { header: "OWNER", wide: true, cell: ({ owner }) => owner && `${owner.kind}/${owner.name}` },
    { header: "DELETED-BY", wide: true, cell: ({ deletedBy }) => deletedBy?.actor },
    { header: "UID", wide: true, cell: ({ uid }) => uid },
  ];
  return [
    ...(shown.cluster ? [{ header: "CLUSTER", cell: ({ cluster }: JobAnswer) => cluster }] : []),
    ...(shown.namespace ? [{ header: "NAMESPACE", cell: ({ namespace }: JobAnswer) => namespace }] : []),
    ...columns,
  ];
}

/** The time of its Pods, once it is over. */
function reserved({ usage }: JobAnswer): string | undefined {
  return usage && reservedText(usage);
}

function kept({ usage }: JobAnswer): string | undefined {
  return usage && usage.podSeconds.total > 0 ? shareText(usage.podSeconds, "kept") : undefined;
}

const RESERVED: readonly Column<JobAnswer>[] = [
  { header: "RESERVED-POD-SECONDS", cell: ({ usage }) => usage?.podSeconds.total },
  { header: "KEPT-POD-SECONDS", cell: ({ usage }) => usage?.podSeconds.kept },
  { header: "RESERVED-CORE-SECONDS", cell: ({ usage }) => usage?.resources["cpu"]?.total },
  { header: "RESERVED-BYTE-SECONDS", cell: ({ usage }) => usage?.resources["memory"]?.total },
];

interface Span {
  readonly p50: number;
  readonly p90: number;
}

/** The median, and what nine in ten runs need at most. */
function spanText({ p50, p90 }: Span): string {
  return `${humanDuration(p50 * 1_000)} to ${humanDuration(p90 * 1_000)}`;
}

const EXPECTED_SECONDS: readonly Column<JobAnswer>[] = [
  { header: "EXPECTED-P50-SECONDS", cell: ({ expected }) => expected?.p50 },
  { header: "EXPECTED-P90-SECONDS", cell: ({ expected }) => expected?.p90 },
  { header: "LEFT-P50-SECONDS", cell: ({ expected }) => expected?.remaining?.p50 },
  { header: "LEFT-P90-SECONDS", cell: ({ expected }) => expected?.remaining?.p90 },
];

const EXPECTED: readonly Column<JobAnswer>[] = [
  { header: "EXPECTED", wide: true, cell: ({ expected }) => expected && spanText(expected), csv: EXPECTED_SECONDS },
  { header: "LEFT", wide: true, cell: ({ expected }) => expected?.remaining && spanText(expected.remaining), csv: [] },
];

type Times = Partial<Pick<JobAnswer, "createdAt" | "startedAt" | "finishedAt" | "deletedAt">>;

/** The times of a Job or run, in CSV. */
export const INSTANTS: readonly Column<Times>[] = [
  { header: "CREATED", cell: ({ createdAt }) => createdAt },
  { header: "STARTED", cell: ({ startedAt }) => startedAt },
  { header: "FINISHED", cell: ({ finishedAt }) => finishedAt },
  { header: "DELETED", cell: ({ deletedAt }) => deletedAt },
];

/** The duration of a finished Job or run. That of a running one would change. */
export const DURATION_SECONDS: Column<Times> = {
  header: "DURATION-SECONDS",
  cell: ({ startedAt, finishedAt }) => secondsBetween(startedAt, finishedAt),
};

/** Empty unless both are known. */
export function secondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const [start, end] = [parseInstant(from), parseInstant(to)];
  return start === undefined || end === undefined ? undefined : (end - start) / 1_000;
}

/** `TYPE/NAME` as kubectl prints it with `-o name`. */
export function jobResourceName({ name }: Pick<JobAnswer, "name">): string {
  return `job.batch/${name}`;
}

/** The time since an instant; `<unknown>` without one, as in kubectl. */
export function age(instant: string | undefined, now: number): string {
  const then = parseInstant(instant);
  return then === undefined ? "<unknown>" : humanDuration(now - then);
}

export const STATE_COLOURS = {
  Pending: undefined,
  Running: "cyan",
  Suspended: undefined,
  Complete: "green",
  Failed: "red",
  Deleted: "gray",
  Unknown: "yellow",
} as const satisfies Record<Verdict["state"], string | undefined>;

function duration(job: JobAnswer, now: number): string | undefined {
  const millis = jobRunTime(job, parseInstant(job.completeness.heardAt) ?? now);
  return millis === undefined ? undefined : humanDuration(millis);
}

/** A list does not read the Pods of a large Job: only `outlive get` has all of its findings. */
function findingKinds({ findings, podsUnread }: JobAnswer): string {
  return [...new Set(findings.map(({ kind }) => kind)), ...(podsUnread === true ? ["(see get)"] : [])].join(",");
}
