import type { JobAnswer } from "../../explain/answer-document.ts";

/** What to wait for. `finished`: complete or failed. */
export type WaitGoal = "complete" | "failed" | "finished";

export type WaitOutcome =
  | { readonly outcome: "met"; readonly job: JobAnswer }
  /** It came to its end, and another one than the goal. */
  | { readonly outcome: "endedOtherwise"; readonly job: JobAnswer }
  | { readonly outcome: "timedOut"; readonly job?: JobAnswer };

/** Asks for the Job until it meets the goal, can no longer meet it, or the time is over. */
export async function waitForJob(
  goal: WaitGoal,
  {
    ask,
    pause,
  }: {
    /** The Job as it is now; `undefined` where it is not known yet. */
    readonly ask: () => Promise<JobAnswer | undefined>;
    /** Resolves after a while: true to ask again, false when the time is over. */
    readonly pause: () => Promise<boolean>;
  },
): Promise<WaitOutcome> {
  let job: JobAnswer | undefined;
  do {
    job = (await ask()) ?? job;
    const settled = job === undefined ? undefined : settle(goal, job);
    if (settled !== undefined) return settled;
  } while (await pause());
  return { outcome: "timedOut", ...(job && { job }) };
}

/** A Job that was deleted before it ended can no longer meet any goal; one of unknown fate may still turn out. */
function settle(goal: WaitGoal, job: JobAnswer): WaitOutcome | undefined {
  const { state, final } = job.verdict;
  switch (state) {
    case "Complete":
      return final ? { outcome: goal === "failed" ? "endedOtherwise" : "met", job } : undefined;
    case "Failed":
      return final ? { outcome: goal === "complete" ? "endedOtherwise" : "met", job } : undefined;
    case "Deleted":
      return { outcome: "endedOtherwise", job };
    case "Pending":
    case "Running":
    case "Suspended":
    case "Unknown":
      return undefined;
  }
}
