import type { SidecarHoldsPod, SidecarHoldsPodShows } from "../../job/findings/find-sidecar-holds-pod.ts";
import { count, list } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainSidecarHoldsPod: Explain<SidecarHoldsPod> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Declare the other container as a sidecar (an init container with restartPolicy: Always, " +
      "Kubernetes 1.29), or end it when the work is done.",
  ],
});

function messageOf(finding: SidecarHoldsPod): string {
  const { podCount, workFailed } = finding;
  const done = workFailed ? "had come to the end of the work" : "had done the work";
  const pods = listPods(finding, ({ name, running }) => `${name}: ${list(running)}`);
  return `${count(podCount, "Pod")} ${done} and ${keptText(finding)} (${pods}).`;
}

function keptText({ podCount, stillHeld }: SidecarHoldsPod): string {
  const kept = "kept running by another container";
  if (stillHeld === podCount) return `${podCount === 1 ? "is" : "are"} ${kept}`;
  if (stillHeld > 0) return `were ${kept}, ${stillHeld} of them still`;
  return podCount === 1 ? `was ${kept} until it was deleted` : `were ${kept} until they were deleted`;
}

function describeShown(shows: SidecarHoldsPodShows): string {
  switch (shows.what) {
    case "mainEnded":
      return [
        `container ${shows.container} had ended with exit code ${shows.exitCode}`,
        `${list(shows.running)} still ran`,
      ].join("; ");
    case "deletionRequested":
      return "was marked for deletion, and its containers were stopped for that";
  }
}
