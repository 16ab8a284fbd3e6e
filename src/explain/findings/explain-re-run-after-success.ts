import type {
  LossCount,
  ReRunAfterSuccess,
  ReRunAfterSuccessShows,
} from "../../job/findings/find-re-run-after-success.ts";
import { durationText } from "../../text/duration-text.ts";
import { count, list } from "../../text/sentence.ts";
import { byWhom } from "../attribution-text.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";

export const explainReRunAfterSuccess: Explain<ReRunAfterSuccess> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    ...(isByPodGc(finding) ? POD_GC_REMEDIES : []),
    "Use Kubernetes 1.26 or later: with finalizer tracking a Pod stays until it is counted.",
  ],
});

const POD_GC_REMEDIES = [
  "Raise --terminated-pod-gc-threshold of kube-controller-manager (its default is 12500; providers may set it lower).",
  "Keep fewer ended Pods around: set ttlSecondsAfterFinished, delete finished Jobs, run fewer Jobs at once.",
];

function isByPodGc({ losses }: ReRunAfterSuccess): boolean {
  return losses.some(({ by }) => by?.actor === "pod-garbage-collector");
}

function messageOf({ podCount, ranMillis, losses, answeredDeletion }: ReRunAfterSuccess): string {
  if (answeredDeletion) {
    const ran = `${count(podCount, "Pod")} ran for ${durationText(ranMillis)}`;
    return `${ran} in place of a deleted Pod, which had answered its deletion with exit code 0.`;
  }
  const reRuns = count(podCount, "needless re-run");
  return `${reRuns} (${durationText(ranMillis)} of running), ${lossText(losses, podCount)}.`;
}

/** Why there were re-runs: who deleted the successful Pods, and how certain that is. */
function lossText(losses: readonly LossCount[], reRuns: number): string {
  const [first, ...others] = losses;
  if (first === undefined) return "though nothing shows that a success was lost";
  if (others.length === 0 && first.by !== undefined && first.times === reRuns) {
    return `${reRuns === 1 ? "the Pod before it" : "each Pod"} deleted ${byWhom(first.by)} after it had succeeded`;
  }
  const parts = losses.map(({ by, times }) =>
    by === undefined
      ? `${count(times, "success")} reported Failed later`
      : `${count(times, "succeeded Pod")} deleted ${byWhom(by)}`,
  );
  return `after ${list(parts)}`;
}

function describeShown(shows: ReRunAfterSuccessShows): string {
  switch (shows.what) {
    case "completed":
      return shows.successes === 1
        ? "succeeded: the Job was complete"
        : `succeeded: it was success number ${shows.successes}, and the Job was complete`;
    case "deleted":
      return `was deleted ${byWhom(shows.by)} after it had succeeded`;
    case "failedAfterSuccess":
      return "was reported Failed after it had succeeded";
    case "created": {
      const { end } = shows;
      const word = end?.phase === "Succeeded" ? "succeeded" : "failed";
      const ended = end === undefined ? "" : `, and ${word} after ${durationText(end.ranMillis)}`;
      return `was created though the Job was complete${ended}`;
    }
  }
}
