import type { ContainerRestarted, ContainerRestartedShows } from "../../job/findings/find-container-restarted.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { durationText } from "../../text/duration-text.ts";
import { count, list } from "../../text/sentence.ts";
import { readinessText } from "../node-text.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainContainerRestarted: Explain<ContainerRestarted> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: hasFailed(finding) ? [] : [REMEDY],
});

/** The cause of a failed run has its own remedy (cause/explain-cause.ts). */
function hasFailed({ exitCodes }: ContainerRestarted): boolean {
  return exitCodes.some((code) => code !== 0);
}

const REMEDY =
  "Check the node's kubelet and container runtime around that time: the runs that were replaced show no failure.";

function messageOf(finding: ContainerRestarted): string {
  const { podCount, restarts, exitCodes, nodes } = finding;
  const codes = exitCodes.length === 0 ? "" : `, exit code ${list(exitCodes.map(String))}`;
  const around = nodes.map((node) => `${node.node} was ${readinessText(node)} since ${formatInstant(node.since)}`);
  return (
    `${count(podCount, "Pod")} had containers restarted in place (${count(restarts, "restart")}${codes}: ` +
    `${listPods(finding)}); a restart is not a new ` +
    `attempt${around.length === 0 ? "" : `; around then ${list(around)}`}.`
  );
}

function describeShown(shows: ContainerRestartedShows): string {
  switch (shows.what) {
    case "runEnded": {
      const { container, exitCode, reason, ranMillis, restart } = shows;
      const why = reason === undefined ? "" : ` (${reason})`;
      const ran = ranMillis === undefined ? "" : ` after ${durationText(ranMillis)}`;
      return (
        `container ${container} ended with exit code ${exitCode}${why}${ran} and was started again in ` +
        `place (restart ${restart})`
      );
    }
    case "nodeUnready":
      return `was ${readinessText(shows.readiness)}`;
  }
}
