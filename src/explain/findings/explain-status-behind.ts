import type { ReportedCounts, StatusBehind, StatusBehindShows } from "../../job/findings/find-status-behind.ts";
import { count } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";

export const explainStatusBehind: Explain<StatusBehind> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: ["Look at the Job controller: it is slow, or does not run (its queue, its request limits, its log)."],
});

function messageOf({ reported, missing }: StatusBehind): string {
  const { succeeded, failed } = missing;
  const parts = [
    ...(succeeded > 0 ? [`${count(succeeded, "success")} more`] : []),
    ...(failed > 0 ? [`${count(failed, "failure")} more`] : []),
  ];
  const are = succeeded + failed === 1 ? "is" : "are";
  return `Kubernetes reports ${countsText(reported)}; there ${are} ${parts.join(" and ")} than it counts.`;
}

function countsText({ active, succeeded, failed }: ReportedCounts): string {
  return `active ${active}, succeeded ${succeeded}, failed ${failed}`;
}

function describeShown(shows: StatusBehindShows): string {
  switch (shows.what) {
    case "ended":
      return shows.phase === "Succeeded" ? "succeeded" : "failed";
    case "reported":
      return `was reported as ${countsText(shows.reported)}`;
  }
}
