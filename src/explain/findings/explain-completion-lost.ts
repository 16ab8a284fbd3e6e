import type { CompletionLost, CompletionLostShows } from "../../job/findings/find-completion-lost.ts";
import { count } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainCompletionLost: Explain<CompletionLost> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, ({ what }) => SHOWN[what])),
  remedies: [
    ...(isCountedAsFailed(finding)
      ? []
      : ["Let only the Job controller remove the finalizer batch.kubernetes.io/job-tracking."]),
    "Make the work safe to run twice: Kubernetes may run it again for a success it did not count.",
  ],
});

function isCountedAsFailed({ evidence }: CompletionLost): boolean {
  return evidence.some(({ shows }) => shows.what === "deletionCountedAsFailure");
}

function messageOf(finding: CompletionLost): string {
  const { podCount } = finding;
  switch (finding.loss) {
    case "ofPods": {
      const how = COUNTED_AS[finding.countedAs];
      const many = podCount > 1;
      return (
        `${count(podCount, "Pod")} succeeded, and Kubernetes lost ${many ? "the successes" : "that"} ` +
        `(${listPods(finding)}): ${many ? "each" : "it"} ${how}.`
      );
    }
    case "ofCounter":
      return (
        `${count(podCount, "Pod")} succeeded, and Kubernetes counted ${podCount - finding.missing}: ` +
        `${count(finding.missing, "success")} lost, most likely because the tracking finalizer was removed by hand.`
      );
  }
}

const COUNTED_AS = {
  nothing: "is not counted",
  failed: "is counted as failed",
  either: "is not counted, or counted as failed",
} as const;

const SHOWN: Readonly<Record<CompletionLostShows["what"], string>> = {
  succeeded: "succeeded",
  failedBeforeCounted: "was reported Failed before it was counted",
  deletionCountedAsFailure: "was marked for deletion, and counted as failed for that",
  finalizerOff: "was without the tracking finalizer",
  replaced: "was without the tracking finalizer; another Pod was created for its work after that",
};
