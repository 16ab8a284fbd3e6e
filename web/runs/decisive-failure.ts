import type { Attempt } from "../../src/explain/answer-document.ts";
import type { RunAnswer, RunAttemptAnswer } from "../../src/explain/run/run-document.ts";

/** The first failure that decided, of the last attempt that has one. */
export interface DecisiveFailure {
  readonly number: number;
  readonly failure: NonNullable<RunAttemptAnswer["firstFailure"]>;
}

/** What a run failed for, or what the attempt before its success failed for. */
export function decisiveFailure({ attempts }: Pick<RunAnswer, "attempts">): DecisiveFailure | undefined {
  const last = attempts.findLast(({ firstFailure }) => firstFailure !== undefined);
  return last?.firstFailure && { number: last.number, failure: last.firstFailure };
}

/** The Pod of a failure among the Pods of its Job. Where no Pod failed by itself, it is the last one. */
export function podOfFailure(
  { failure: { jobUid, pod } }: DecisiveFailure,
  pods: ReadonlyMap<string, readonly Attempt[]>,
): Attempt | undefined {
  const ofJob = pods.get(jobUid) ?? [];
  return pod === undefined ? ofJob.at(-1) : ofJob.find(({ name }) => name === pod);
}
