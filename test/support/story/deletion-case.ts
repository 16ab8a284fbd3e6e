import type { DeletionShows } from "../../../src/job/attribution/attribution.ts";
import { endedBefore, type PodDeletionCase } from "../../../src/job/attribution/pod-deletion-case.ts";
import { podEvidence } from "../../../src/job/model/evidence.ts";
import { instantOf } from "../../../src/job/model/fact-instant.ts";
import type { Story } from "./story.ts";

/** The deletion of Pod "a" of a story. */
export function deletionCaseOf(story: Story): PodDeletionCase {
  const pod = story.pod("a");
  const deletion = pod.deletionRequested ?? pod.deleted;
  if (deletion === undefined) throw new Error("The Pod was deleted.");
  const shows: DeletionShows = { what: "podDeletion" };
  return {
    pod,
    job: story.record.job,
    clusterContext: story.clusterContext,
    deletion,
    at: instantOf(deletion),
    hadEnded: endedBefore(pod, deletion),
    evidence: podEvidence(pod, deletion, { shows }),
  };
}
