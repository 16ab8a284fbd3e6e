import type { OutcomeUnknown, OutcomeUnknownShows } from "../../job/findings/find-outcome-unknown.ts";
import type { LostEnd } from "../../job/model/outcome.ts";
import { count } from "../../text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import { describeDeletionCause } from "../explain-deletion.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainOutcomeUnknown: Explain<OutcomeUnknown> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: ["Check by the work's own traces whether it was done: Kubernetes cannot tell."],
});

function messageOf(finding: OutcomeUnknown): string {
  const { podCount } = finding;
  const whose = podCount === 1 ? "its outcome is" : "their outcomes are";
  const seen = `${count(podCount, "Pod")} ran, and how ${podCount === 1 ? "it" : "they"} ended was not observed`;
  return `${seen} (${listPods(finding)}): ${whose} unknown, not failed.`;
}

const LOST_ENDS = {
  stillRunning: "was reported Failed while its containers still ran",
  runtimeDown: "was reported Failed with exit code 255 (Unknown): the container runtime or the node was down",
  containerLost: "was reported Failed with a placeholder: the kubelet had lost the container (ContainerStatusUnknown)",
  nodeShutdown: "was stopped by the shutdown of its node, and answered with exit code 0",
} as const satisfies Record<LostEnd, string>;

function describeShown(shows: OutcomeUnknownShows): string {
  switch (shows.what) {
    case "endLost":
      return LOST_ENDS[shows.how];
    case "vanished":
      return "was missing from a later list; how it ended was not observed";
    case "gone": {
      const by = shows.deletedBy;
      const deleted =
        by === undefined || by.actor === "unknown"
          ? ""
          : `, deleted ${byWhom(by)} (${describeDeletionCause(by.cause)})`;
      return `was gone${deleted}; how it ended was not observed`;
    }
  }
}
