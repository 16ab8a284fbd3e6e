import type { PhantomPod, PhantomRunning, PhantomRunningShows } from "../../job/findings/find-phantom-running.ts";
import { formatInstant } from "../../job/model/instant.ts";
import { durationText } from "../../text/duration-text.ts";
import { count } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainPhantomRunning: Explain<PhantomRunning> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Look at the kubelet of the named nodes: it did not report the end of the containers.",
    "Delete the named Pods to have the work run again, once you know that it may.",
  ],
});

function messageOf(finding: PhantomRunning): string {
  const { podCount } = finding;
  const one = podCount === 1;
  const pods = listPods(finding, describePod);
  switch (finding.proof) {
    case "containersEnded":
      return (
        `${count(podCount, "Pod")} ${one ? "is" : "are"} phantom-running: all containers have ended, ` +
        `the phase is still Running ` +
        `(${pods}); what Kubernetes will make of ${one ? "it" : "them"} is unknown, not failed.`
      );
    case "none":
      return (
        `No change for ${durationText(finding.afterMillis)} or more of ${count(podCount, "Pod")} ` +
        `that ${one ? "runs" : "run"} ` +
        `(${pods}): phantom-running, or a program that takes long; no fact shows which.`
      );
  }
}

function describePod({ name, node, since }: PhantomPod): string {
  const at = since === undefined ? "" : ` since ${formatInstant(since)}`;
  return `${name}${node === undefined ? "" : ` on ${node}`}${at}`;
}

function describeShown(shows: PhantomRunningShows): string {
  switch (shows.what) {
    case "containerEnded":
      return `container ${shows.container} had ended with exit code ${shows.exitCode}`;
    case "lastRunning":
      return shows.containersRun
        ? "was last seen in phase Running, with its containers running"
        : "was last seen in phase Running, with no container running";
  }
}
