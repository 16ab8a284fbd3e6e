import type {
  ContradictingStatus,
  ContradictingStatusShows,
  StatusContradiction,
} from "../../job/findings/find-contradicting-status.ts";
import { count } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";

export const explainContradictingStatus: Explain<ContradictingStatus> = (finding) => ({
  message: `The reported status contradicts itself or the Pods: ${allOf(finding.contradictions)}.`,
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Find out who writes the Job's status besides the Job controller: " +
      "look for requests to jobs/status in the audit log.",
  ],
});

function allOf(contradictions: readonly StatusContradiction[]): string {
  return contradictions.map(describeContradiction).join("; ");
}

/** "succeeded is 3, and only 1 Pod can have succeeded". */
export function describeContradiction(contradiction: StatusContradiction): string {
  switch (contradiction.contradiction) {
    case "abovePods": {
      const { counter, reported, pods } = contradiction;
      return `${counter} is ${reported}, and ${atMost(pods)} can have ${counter}`;
    }
    case "conditions":
      return `conditions ${contradiction.types[0]} and ${contradiction.types[1]} are both True`;
    case "indexes": {
      const { succeeded, completedIndexes } = contradiction;
      return `succeeded is ${succeeded}, and completedIndexes has ${count(completedIndexes, "index")}`;
    }
    case "completeBelow":
      return `the Job is Complete with ${contradiction.succeeded} of ${contradiction.completions} completions`;
    case "completeEarly": {
      const { succeeded, pods } = contradiction;
      return `the Job was Complete with ${succeeded} succeeded when ${atMost(pods)} had succeeded`;
    }
    case "withoutLimit":
      return `the Job failed for ${contradiction.reason}, and its spec has no ${contradiction.field}`;
    case "belowBackoffLimit": {
      const { failed, backoffLimit } = contradiction;
      return `the Job failed for BackoffLimitExceeded with ${failed} failed Pods, and backoffLimit is ${backoffLimit}`;
    }
    case "backwards":
      return `${contradiction.counter} fell from ${contradiction.from} to ${contradiction.to}`;
    case "finishWithdrawn":
      return `the Job was ${contradiction.type}, and the condition was removed`;
  }
}

function atMost(pods: number): string {
  return pods === 0 ? "no Pod" : `only ${count(pods, "Pod")}`;
}

function describeShown(shows: ContradictingStatusShows): string {
  switch (shows.what) {
    case "reported":
      return `was reported with succeeded ${shows.succeeded} and failed ${shows.failed}`;
    case "finished":
      return `was reported ${shows.type}`;
  }
}
