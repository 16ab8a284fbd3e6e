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
    "Check the component that removes the finalizer: the Job controller for Pods, the finalizer's owner for a Job.",
  ],
});

function messageOf(finding: FinalizerStuck): string {
  switch (finding.stuck) {
    case "pods": {
      const { podCount, afterMillis } = finding;
      return (
        `${count(podCount, "Pod")} ended more than ${durationText(afterMillis)} ago and still ` +
        `${podCount === 1 ? "carries" : "carry"} the tracking finalizer (${listPods(finding)}): the ` +
        `Job controller has not removed it.`
      );
    }
    case "job":
      return (
        `The Job was marked for deletion ${durationText(finding.waitedMillis)} ago, ` +
        `and still has the finalizer ${list(finding.finalizers)}.`
      );
  }
}

function describeShown(shows: FinalizerStuckShows): string {
  switch (shows.what) {
    case "endedWithFinalizer":
      return "ended, with the tracking finalizer still on";
    case "heldByFinalizers":
      return `was marked for deletion, with the finalizer ${list(shows.finalizers)}`;
  }
}
