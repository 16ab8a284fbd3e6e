import type { SuccessFlipped, SuccessFlippedShows } from "../../job/findings/find-success-flipped.ts";
import { count } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainSuccessFlipped: Explain<SuccessFlipped> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, ({ what }) => SHOWN[what])),
  remedies: ["Look at the kubelet of the Pod's node: it rewrote a Pod that had ended, as some do when they restart."],
});

function messageOf(finding: SuccessFlipped): string {
  const { podCount } = finding;
  const one = podCount === 1;
  const stays = one ? "it stays a success" : "they stay successes";
  return (
    `${count(podCount, "Pod")} had succeeded and ${one ? "was" : "were"} reported Failed later ` +
    `(${listPods(finding)}): ${stays}.`
  );
}

const SHOWN: Readonly<Record<SuccessFlippedShows["what"], string>> = {
  succeeded: "succeeded",
  failedAfterSuccess: "was reported Failed after it had succeeded",
};
