import type { JobAnswer } from "../../explain/answer-document.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { State } from "../../job/model/states.ts";
import type { QueryPorts } from "../ports.ts";
import { findByName, type NamedJob, type ScopedReference } from "./find-job.ts";
import { answerFound } from "./get-job.ts";

/** What to wait for. `finished`: complete or failed. */
export type WaitGoal = "complete" | "failed" | "finished";

/** What is waited for: a Job, or a run. */
interface Awaited {
  readonly verdict: { readonly state: string; readonly final: boolean };
}

/** `endedOtherwise`: it can no longer meet the goal. */
export type WaitOutcome = "met" | "endedOtherwise" | "timedOut";

/** How a wait ended. */
export interface Waited<Answer> {
  readonly outcome: WaitOutcome;
  /** The latest; absent if there was none until the time was over. */
  readonly answer?: Answer;
}

/** Reads a Job or run repeatedly until it meets the goal, can no longer meet it, or the time is over. */
export async function waitFor<Answer extends Awaited>(
  goal: WaitGoal,
  {
    read,
    pause,
  }: {
    /** The current answer; `undefined` while there is none. */
    readonly read: () => Promise<Answer | undefined>;
    /** Waits before the next read. Resolves to `false` if the time is over. */
    readonly pause: () => Promise<boolean>;
  },
): Promise<Waited<Answer>> {
  let answer: Answer | undefined;
  do {
    answer = (await read()) ?? answer;
    if (answer === undefined) continue;
    const outcome = settledBy(goal, answer);
    if (outcome !== undefined) return { outcome, answer };
  } while (await pause());
  return { outcome: "timedOut", ...(answer && { answer }) };
}

/**
 * The outcome of a wait; `undefined` if the goal may still be met. What was deleted before it finished cannot meet it.
 * The outcome of an unknown Job may still be found.
 */
export function settledBy(goal: WaitGoal, { verdict: { state, final } }: Awaited): WaitOutcome | undefined {
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
      last = { found, answer: await answerFound(stores, { cluster: wanted.cluster, found }, { scope, now: clock() }) };
    }
    return last.answer;
  };
}

function isSame(a: NamedJob, b: NamedJob): boolean {
  return a.jobUid === b.jobUid && a.stored.version === b.stored.version;
}
