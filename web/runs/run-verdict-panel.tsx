import type { RunAnswer } from "../../src/explain/run/run-document.ts";
import { Milestones } from "../job/milestones.tsx";
import { PlaceLinks } from "../shell/place-links.tsx";
import { linkTo, linkToComparison } from "../shell/route.ts";
import { StateBadge } from "../state/state-badge.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { shownText } from "../text/shown-text.ts";

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
        <PlaceLinks view="runs" cluster={cluster} namespace={namespace} /> / {shownText(kind)}
      </p>
      <h1 class="breaks">
        <StateBadge state={run.verdict.state} final={run.verdict.final} /> <ClusterText text={name} />
      </h1>
      <p class="answer">{sentence === undefined ? shortVerdict(run) : shownText(sentence)}</p>
      <p class="line quiet">
        <Milestones of={run} />
        <span>{basisText(run)}</span>
        <a href={linkToComparison(run)}>Compare with the last good run</a>
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
