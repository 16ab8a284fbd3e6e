import type { JobAnswer } from "../../explain/answer-document.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import type { QueryPorts } from "../ports.ts";
import { findByName, type NamedJob, type ScopedReference } from "./find-job.ts";
import { answerFound } from "./get-job.ts";

/** What to wait for. `finished`: complete or failed. */
export type WaitGoal = "complete" | "failed" | "finished";

export type WaitOutcome =
  | { readonly outcome: "met"; readonly job: JobAnswer }
  /** The Job can no longer meet the goal. */
  | { readonly outcome: "endedOtherwise"; readonly job: JobAnswer }
  | { readonly outcome: "timedOut"; readonly job?: JobAnswer };

/** Whether a verdict meets a goal; `undefined` if it still may. That of a Job, or of a run. */
export type Settled = "met" | "endedOtherwise" | undefined;

/** Reads the Job repeatedly until it meets the goal, can no longer meet it, or the time is over. */
export async function waitForJob(
  goal: WaitGoal,
  {
    read,
    pause,
  }: {
    /** The current Job; `undefined` while it is unknown. */
    readonly read: () => Promise<JobAnswer | undefined>;
    /** Waits before the next read. Resolves to `false` if the time is over. */
    readonly pause: () => Promise<boolean>;
  },
): Promise<WaitOutcome> {
  let job: JobAnswer | undefined;
  do {
    job = (await read()) ?? job;
    const settled = job === undefined ? undefined : settledBy(goal, job);
    if (settled !== undefined) return settled;
  } while (await pause());
  return { outcome: "timedOut", ...(job && { job }) };
}

/**
 * The outcome of a wait for this Job; `undefined` if it may still meet the goal. A Job that was deleted before it
 * finished cannot. The outcome of an unknown one may still be found.
 */
export function settledBy(goal: WaitGoal, job: JobAnswer): WaitOutcome | undefined {
  const outcome = settle(goal, job.verdict);
  return outcome && { outcome, job };
}

/** The same for a verdict. */
export function settle(goal: WaitGoal, { state, final }: { readonly state: string; readonly final: boolean }): Settled {
  if (state === "Deleted") return "endedOtherwise";
  if (!final || (state !== "Complete" && state !== "Failed")) return undefined;
  return GOAL_STATES[goal].includes(state) ? "met" : "endedOtherwise";
}

const GOAL_STATES: Readonly<Record<WaitGoal, readonly State[]>> = {
  complete: ["Complete"],
  failed: ["Failed"],
  finished: ["Complete", "Failed"],
};

/** What a poll reads with. The stores are opened for each poll, because a replay may have switched the projection. */
export interface PollStores {
  readonly ports: () => Promise<QueryPorts>;
  readonly clock: () => Instant;
}

/**
 * Reads a Job repeatedly. One read of a known Job takes two requests to DynamoDB, and one of an unknown Job takes one.
 * The answer is derived again only if the Job's state has changed. `undefined` while the Job is unknown.
 */
export function pollJob({ ports, clock }: PollStores, { scope, wanted }: ScopedReference) {
  let last: { readonly found: NamedJob; readonly answer: JobAnswer } | undefined;
  return async (): Promise<JobAnswer | undefined> => {
    const stores = await ports();
    const found = await findByName(stores, scope, wanted);
    if (found.outcome === "none") return undefined;
    if (last === undefined || !isSame(last.found, found)) {
      last = { found, answer: await answerFound(stores, { cluster: wanted.cluster, found }, clock()) };
    }
    return last.answer;
  };
}

function isSame(a: NamedJob, b: NamedJob): boolean {
  return a.jobUid === b.jobUid && a.stored.version === b.stored.version;
}
