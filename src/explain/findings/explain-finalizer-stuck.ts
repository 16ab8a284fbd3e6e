import type { FinalizerStuck, FinalizerStuckShows } from "../../job/findings/find-finalizer-stuck.ts";
import { durationText } from "../../text/duration-text.ts";
import { count, list } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";
import { listPods } from "./pod-names.ts";

export const explainFinalizerStuck: Explain<FinalizerStuck> = (finding) => ({
  message: messageOf(finding),
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Look at who is to take the finalizer off: the Job controller, or the garbage collector for a Job that is to go.",
  ],
});

function messageOf(finding: FinalizerStuck): string {
  switch (finding.stuck) {
    case "pods": {
      const { podCount, afterMillis } = finding;
      return (
        `${count(podCount, "Pod")} ended more than ${durationText(afterMillis)} ago and still ` +
        `${podCount === 1 ? "carries" : "carry"} the tracking finalizer (${listPods(finding)}): the ` +
        `Job controller does not get to them.`
      );
    }
    case "job":
      return (
        `The Job was asked to go ${durationText(finding.waitedMillis)} ago and is held by ` +
        `${list(finding.finalizers)}.`
      );
  }
}

function describeShown(shows: FinalizerStuckShows): string {
  switch (shows.what) {
    case "endedWithFinalizer":
      return "ended, with the tracking finalizer still on";
    case "heldByFinalizers":
      return `was asked to go, held by ${list(shows.finalizers)}`;
  }
}
