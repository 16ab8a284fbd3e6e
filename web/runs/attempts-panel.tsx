import type { RunAnswer, RunAttemptAnswer } from "../../src/explain/run/run-document.ts";
import { Panel } from "../shell/panel.tsx";
import { linkToJob } from "../shell/route.ts";
import { ShapedText } from "../state/shaped-text.tsx";
import type { State } from "../state/states.ts";
import type { Column } from "../table/column.ts";
import { VirtualTable } from "../table/virtual-table.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { millisOf } from "../text/instant-text.ts";
import { Moment } from "../text/moment.tsx";
import { plural } from "../text/plural.ts";
import { shownText } from "../text/shown-text.ts";
import { spanText } from "../text/span-text.ts";

/** Each time that the run started its Jobs, and what failed first. */
export function AttemptsPanel({ run }: { readonly run: RunAnswer }) {
  const { attempts } = run;
  return (
    <Panel id="attempts" title="Attempts" remark={plural(attempts.length, "attempt")}>
      {attempts.length === 0 ? (
        <p class="inside quiet">No Job of this run has started.</p>
      ) : (
        <VirtualTable
          label="Attempts"
          rows={attempts}
          columns={columnsFor(run)}
          keyOf={(attempt) => String(attempt.number)}
          height="tall"
        />
      )}
    </Panel>
  );
}

function columnsFor(run: RunAnswer): readonly Column<RunAttemptAnswer>[] {
  return [
    {
      header: "State",
      class: "w-state",
      cell: ({ state }) => <ShapedText like={LIKE[state]}>{state}</ShapedText>,
    },
    { header: "Attempt", class: "w-count num", cell: (attempt) => attempt.number },
    { header: "Jobs", class: "w-count num hide-s", cell: ({ jobs }) => jobs.length },
    { header: "Started", class: "w-instant hide-s", cell: ({ startedAt }) => <Moment at={startedAt} /> },
    { header: "Ran", class: "w-time num", cell: ranFor },
    { header: "Failed first", class: "w-rest", cell: (attempt) => <FirstFailure run={run} attempt={attempt} /> },
  ];
}

const LIKE: Readonly<Record<RunAttemptAnswer["state"], State>> = {
  Complete: "Complete",
  Failed: "Failed",
  Running: "Running",
  Interrupted: "Suspended",
  Unknown: "Unknown",
};

function ranFor({ startedAt, endedAt }: RunAttemptAnswer): string {
  const [from, to] = [millisOf(startedAt), millisOf(endedAt)];
  return from === undefined || to === undefined ? "–" : spanText(to - from);
}

interface FirstFailureProps {
  readonly run: RunAnswer;
  readonly attempt: RunAttemptAnswer;
}

function FirstFailure({ run: { cluster, namespace }, attempt: { firstFailure } }: FirstFailureProps) {
  if (firstFailure === undefined) return <>–</>;
  const { job, jobUid, pod, exitCode, category, at } = firstFailure;
  const parts = [exitCode === undefined ? undefined : `exit code ${exitCode}`, category === "unknown" ? "" : category];
  return (
    <>
      <a href={linkToJob({ cluster, namespace, name: job, uid: jobUid })} tabIndex={-1}>
        <ClusterText text={job} />
      </a>{" "}
      {shownText(parts.filter((part) => part !== undefined && part !== "").join(", "))} <Moment at={at} form="time" />
      {pod === undefined ? null : (
        <span class="quiet">
          {" "}
          Pod <ClusterText text={pod} />
        </span>
      )}
    </>
  );
}
