import { PlaceLinks } from "../../shell/place-links.tsx";
import { linkTo, linkToComparison, linkToRun } from "../../shell/route.ts";
import { StateBadge } from "../../state/state-badge.tsx";
import { ClusterText } from "../../text/cluster-text.tsx";
import { shownText } from "../../text/shown-text.ts";
import type { JobWithGenerations } from "../job-with-generations.ts";
import { Milestones } from "../milestones.tsx";

interface VerdictPanelProps {
  readonly job: JobWithGenerations;
  readonly sentence: string | undefined;
}

/** The verdict in words, above everything else. */
export function VerdictPanel({ job, sentence }: VerdictPanelProps) {
  const { verdict, cluster, namespace } = job;
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="quiet breaks">
        <PlaceLinks view="jobs" cluster={cluster} namespace={namespace} />
      </p>
      <h1 class="breaks">
        <StateBadge state={verdict.state} final={verdict.final} /> <ClusterText text={job.name} />
      </h1>
      <p class="answer">{sentence === undefined ? shortVerdict(job) : shownText(sentence)}</p>
      <p class="line quiet">
        <Milestones of={job} />
        <a href={linkToComparison({ ...job, kind: "job" })}>Compare with the last good run</a>
        {job.owners.map((owner) => (
          <OwnerLink key={`${owner.kind}/${owner.name}`} job={job} owner={owner} />
        ))}
      </p>
    </section>
  );
}

interface OwnerLinkProps {
  readonly job: JobWithGenerations;
  readonly owner: JobWithGenerations["owners"][number];
}

/** To the run that the Job belongs to; of another owner, to its Jobs. */
function OwnerLink({ job: { cluster, namespace, run }, owner: { kind, name } }: OwnerLinkProps) {
  const isRun = run.kind === kind && run.name === name;
  return (
    <span>
      {isRun ? "Run" : "Owner"}{" "}
      <a
        href={
          isRun ? linkToRun({ cluster, namespace, ...run }) : linkTo("jobs", [], { cluster, owner: `${kind}/${name}` })
        }
      >
        {kind} <ClusterText text={name} />
      </a>
    </span>
  );
}

function shortVerdict({ verdict, status, spec }: JobWithGenerations): string {
  const of = spec.completions === undefined ? "" : ` of ${spec.completions}`;
  const reason = verdict.reason === undefined ? "" : ` (${shownText(verdict.reason)})`;
  return `${verdict.state}${reason}: ${status.succeeded ?? 0}${of} succeeded.`;
}
