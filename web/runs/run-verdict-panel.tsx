import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { responsibilityText } from "../../src/explain/cause/responsibility-text.ts";
import { linkTo } from "../shell/route.ts";
import { ClusterText } from "../text/cluster-text.tsx";
import { Age, Moment } from "../text/moment.tsx";
import { shownText } from "../text/shown-text.ts";
import { attributionText } from "../job/attribution-text.ts";
import { runDuration } from "./run-duration.ts";
import { RunStateBadge } from "./run-state-badge.tsx";

interface RunVerdictPanelProps {
  readonly run: RunAnswer;
  readonly sentence: string | undefined;
}

/** The verdict in words, above everything else. */
export function RunVerdictPanel({ run, sentence }: RunVerdictPanelProps) {
  const { cluster, namespace, kind, name } = run;
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="quiet breaks">
        <a href={linkTo("runs", [], { cluster })}>
          <ClusterText text={cluster} />
        </a>{" "}
        /{" "}
        <a href={linkTo("runs", [], { cluster, namespace })}>
          <ClusterText text={namespace} />
        </a>{" "}
        / {shownText(kind)}
      </p>
      <h1 class="breaks">
        <RunStateBadge verdict={run.verdict} /> <ClusterText text={name} />
      </h1>
      <p class="answer">{sentence === undefined ? shortVerdict(run) : shownText(sentence)}</p>
      <p class="line quiet">
        <span>{basisText(run)}</span>
        {run.cause === undefined ? null : <span>{responsibilityText(run.cause)}.</span>}
        <Milestones run={run} />
        {run.series === undefined ? null : (
          <span>
            Series{" "}
            <a href={linkTo("runs", [], { series: `${run.series.kind}/${run.series.name}` })}>
              {shownText(run.series.kind)} <ClusterText text={run.series.name} />
            </a>
          </span>
        )}
      </p>
    </section>
  );
}

function shortVerdict({ verdict: { state, reason } }: RunAnswer): string {
  return shownText(reason === undefined ? `${state}.` : `${state} (${reason}).`);
}

function basisText({ verdict: { basis, final }, kind }: RunAnswer): string {
  const is = final ? "Final" : "Not final";
  switch (basis) {
    case "both":
      return `${is}: the ${kind} reports what its Jobs show.`;
    case "reported":
      return `${is}: reported by the ${kind}.`;
    case "observed":
      return `${is}: derived from its Jobs and Pods; the ${kind} has not reported it.`;
  }
}

function Milestones({ run }: { readonly run: RunAnswer }) {
  return (
    <>
      <span>
        Created <Moment at={run.createdAt} /> (<Age at={run.createdAt} /> ago)
      </span>
      {run.startedAt === undefined ? null : (
        <span>
          Started <Moment at={run.startedAt} form="time" />
        </span>
      )}
      {run.finishedAt === undefined ? null : (
        <span>
          Finished <Moment at={run.finishedAt} form="time" />, after {runDuration(run)}
        </span>
      )}
      {run.deletedAt === undefined ? null : (
        <span>
          Deleted <Moment at={run.deletedAt} form="time" />
          {run.deletedBy === undefined ? "" : ` by ${attributionText(run.deletedBy)}`}
        </span>
      )}
    </>
  );
}
