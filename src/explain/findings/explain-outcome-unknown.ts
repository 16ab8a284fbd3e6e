import type { OutcomeUnknown, OutcomeUnknownShows } from "../../job/findings/find-outcome-unknown.ts";
import { count } from "../../text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import { describeDeletionCause } from "../explain-deletion.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainOutcomeUnknown: Explain<OutcomeUnknown> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) =>
    presentEvidence(one, (shows) => `${describeShown(shows)}; how it ended was not seen`),
  ),
  remedies: ["Check by the work's own traces whether it was done: Kubernetes can not say it any more."],
});

function messageOf(finding: OutcomeUnknown): string {
  const { podCount } = finding;
  const went = podCount === 1 ? "its outcome is" : "their outcomes are";
  return (
    `${count(podCount, "Pod")} ran and went before an end was seen (${listPods(finding)}): ${went} ` +
    `unknown, not failed.`
  );
}

function describeShown(shows: OutcomeUnknownShows): string {
  switch (shows.what) {
    case "vanished":
      return "was missing from a later list";
    case "gone": {
      const by = shows.deletedBy;
      if (by === undefined || by.actor === "unknown") return "was gone";
      return `was gone, deleted ${byWhom(by)} (${describeDeletionCause(by.cause)})`;
    }
  }
}
