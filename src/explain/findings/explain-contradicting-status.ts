import type {
  ContradictingStatus,
  ContradictingStatusShows,
  StatusContradiction,
} from "../../job/findings/find-contradicting-status.ts";
import { count } from "../../text/sentence.ts";
import { presentEvidence } from "../present-evidence.ts";
import type { Explain } from "./explained-finding.ts";

export const explainContradictingStatus: Explain<ContradictingStatus> = (finding) => ({
  message: `The reported status contradicts itself or the Pods: ${finding.contradictions.map(describe).join("; ")}.`,
  evidence: finding.evidence.map((one) => presentEvidence(one, describeShown)),
  remedies: [
    "Find out who writes the Job's status besides the Job controller: " +
      "look for requests to jobs/status in the audit log.",
  ],
});

function describe(contradiction: StatusContradiction): string {
  switch (contradiction.contradiction) {
    case "abovePods": {
      const { counter, reported, pods } = contradiction;
      return `${counter} is ${reported}, and only ${count(pods, "Pod")} can have ${counter}`;
    }
    case "conditions":
      return `conditions ${contradiction.types[0]} and ${contradiction.types[1]} are both True`;
    case "indexes": {
      const { succeeded, completedIndexes } = contradiction;
      return `succeeded is ${succeeded}, and completedIndexes has ${count(completedIndexes, "index")}`;
    }
    case "completeBelow":
      return `the Job is Complete with ${contradiction.succeeded} of ${contradiction.completions} completions`;
    case "backwards":
      return `${contradiction.counter} fell from ${contradiction.from} to ${contradiction.to}`;
    case "finishWithdrawn":
      return `the Job was ${contradiction.type}, and the condition was removed`;
  }
}

function describeShown(shows: ContradictingStatusShows): string {
  switch (shows.what) {
    case "reported":
      return `was reported with succeeded ${shows.succeeded} and failed ${shows.failed}`;
    case "finished":
      return `was reported ${shows.type}`;
  }
}
