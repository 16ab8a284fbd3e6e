import type { Attempt } from "../../src/explain/answer-document.ts";
import { attributionText } from "../job/attribution-text.ts";
import { PlaceLinks } from "../shell/place-links.tsx";
import { linkTo, linkToJob, type PodName } from "../shell/route.ts";
import { OutcomeBadge } from "../state/outcome-badge.tsx";
import { ClusterText } from "../text/cluster-text.tsx";
import { shownText } from "../text/shown-text.ts";
import { podSentence } from "./pod-life.ts";

interface PodHeaderProps {
  readonly pod: PodName;
  readonly attempt: Attempt;
}

/** Which Pod it is, what became of it and why. */
export function PodHeader({ pod, attempt }: PodHeaderProps) {
  const { cluster, namespace, job, jobUid } = pod;
  const { node, name, uid, deletedBy } = attempt;
  return (
    <section class="verdict" aria-label="Verdict">
      <p class="quiet breaks">
        <PlaceLinks view="jobs" cluster={cluster} namespace={namespace} /> /{" "}
        <a href={linkToJob({ cluster, namespace, name: job, uid: jobUid })}>
          <ClusterText text={job} />
        </a>
      </p>
      <h1 class="breaks">
        <OutcomeBadge outcome={attempt.outcome} /> <ClusterText text={name} />
      </h1>
      <p class="answer">{shownText(podSentence(attempt))}</p>
      {deletedBy === undefined ? null : (
        <p class="breaks">
          Deleted by <bdi>{attributionText(deletedBy)}</bdi>: {shownText(deletedBy.cause)}.
        </p>
      )}
      <p class="line quiet">
        {node === undefined ? (
          <span>Not scheduled to a node</span>
        ) : (
          <span>
            Node <ClusterText text={node} /> (
            <a href={linkTo("summary", [], { cluster, nodes: "shown" })}>compare the nodes</a>)
          </span>
        )}
        <span class="breaks">uid {shownText(uid)}</span>
      </p>
    </section>
  );
}
