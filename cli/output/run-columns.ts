import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { humanDuration } from "../../src/job/text/human-duration.ts";
import { parseInstant } from "../../src/job/model/instant.ts";
import { stateText } from "../../src/explain/state-text.ts";
import { age, DURATION_SECONDS, INSTANTS, STATE_COLOURS } from "./job-columns.ts";
import type { Column } from "./table.ts";

/** The columns of runs. `now` is the time of printing. */
export function runColumns(
  now: number,
  shown: { readonly cluster: boolean; readonly namespace: boolean },
): readonly Column<RunAnswer>[] {
  return [
    ...(shown.cluster ? [{ header: "CLUSTER", cell: ({ cluster }: RunAnswer) => cluster }] : []),
    ...(shown.namespace ? [{ header: "NAMESPACE", cell: ({ namespace }: RunAnswer) => namespace }] : []),
    { header: "KIND", cell: ({ kind }) => kind },
    { header: "NAME", cell: ({ name }) => name },
    {
      header: "STATUS",
      cell: stateText,
      paint: ({ verdict: { state } }) => (state === "Queued" ? undefined : STATE_COLOURS[state]),
    },
    { header: "ATTEMPTS", cell: ({ attempts }) => attempts.length },
    {
      header: "JOBS",
      cell: ({ jobs }) => `${jobs.complete}/${jobs.total}${jobs.atLeast === true ? "+" : ""}`,
      csv: COUNTS,
    },
    { header: "DURATION", cell: (run) => duration(run, now), csv: [DURATION_SECONDS] },
    { header: "AGE", cell: ({ createdAt }) => age(createdAt, now), csv: INSTANTS },
    { header: "QUEUE", cell: ({ queue }) => queue?.name },
    { header: "CAUSE", cell: ({ waiting, cause }) => (waiting ?? cause)?.message },
    { header: "RESPONSIBLE", wide: true, cell: ({ cause }) => cause?.responsible },
    { header: "RETRY", wide: true, cell: ({ cause }) => cause?.retry },
    { header: "REASON", wide: true, cell: ({ verdict }) => verdict.reason },
    { header: "BASIS", wide: true, cell: ({ verdict }) => verdict.basis },
    { header: "SERIES", wide: true, cell: ({ series }) => series && `${series.kind}/${series.name}` },
    { header: "UID", wide: true, cell: ({ uid }) => uid },
  ];
}

const COUNTS: readonly Column<RunAnswer>[] = [
  { header: "JOBS", cell: ({ jobs }) => jobs.total },
  { header: "JOBS-COMPLETE", cell: ({ jobs }) => jobs.complete },
  { header: "JOBS-FAILED", cell: ({ jobs }) => jobs.failed },
];

/** `KIND/NAME`, as other commands take it. */
export function runResourceName({ kind, name }: Pick<RunAnswer, "kind" | "name">): string {
  return `${kind.toLowerCase()}/${name}`;
}

/** From its first start until it ended, or until now. */
function duration({ startedAt, finishedAt, deletedAt, verdict }: RunAnswer, now: number): string | undefined {
  const start = parseInstant(startedAt);
  const end = parseInstant(finishedAt ?? deletedAt) ?? (verdict.state === "Running" ? now : undefined);
  return start === undefined || end === undefined ? undefined : humanDuration(end - start);
}
