import type { Attempt } from "./answer.ts";
import { attemptOf, type AttemptContext } from "./attempt.ts";
import type { PodRecord } from "./pod-record.ts";

/** A Job's attempts in order of creation, ties by uid. */
export function attemptsOf(pods: Iterable<PodRecord>, context: AttemptContext): readonly Attempt[] {
  const attempts = Array.from(pods, (pod) => attemptOf(pod, context));
  return attempts.sort((a, b) => compareTexts(a.createdAt, b.createdAt) || compareTexts(a.uid, b.uid));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
