import type { NodeSilence, NodeUnreachable, NodeUnreachableShows } from "../../job/findings/find-node-unreachable.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { count } from "../../text/sentence.ts";
import { readinessText } from "../node-text.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainNodeUnreachable: Explain<NodeUnreachable> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Bring the named nodes back, or, once you know that they are off, taint them " +
      "node.kubernetes.io/out-of-service or delete the Node objects.",
  ],
});

function messageOf(finding: NodeUnreachable): string {
  const { podCount } = finding;
  const where = listPods(finding, ({ name, silence }) =>
    silence === undefined ? name : `${name}, whose node ${silence.node} ${silenceText(silence)}`,
  );
  const many = podCount > 1;
  return (
    `${count(podCount, "Pod")} ${many ? "are" : "is"} on a node that is not ready (${where}); ` +
    `the outcome of ${many ? "these" : "it"} is unknown, not failed.`
  );
}

function silenceText({ state, since }: NodeSilence): string {
  return `${state.gone ? "is gone" : `is ${readinessText(state)}`} since ${formatInstant(since)}`;
}

function describeShown(shows: NodeUnreachableShows): string {
  switch (shows.what) {
    case "lastPhase":
      return `was last seen in phase ${shows.phase}`;
    case "nodeSilent":
      return shows.state.gone ? "was gone" : `became ${readinessText(shows.state)}`;
  }
}
