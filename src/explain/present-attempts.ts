import type { Attempt } from "./answer-document.ts";
import { presentAttempt, type AttemptContext } from "./present-attempt.ts";
import { compareText } from "../job/model/compare-text.ts";
import type { PodRecord } from "../job/model/pod-record.ts";

/** A Job's attempts in order of creation, ties by uid. */
export function presentAttempts(pods: Iterable<PodRecord>, context: AttemptContext): readonly Attempt[] {
  const attempts = Array.from(pods, (pod) => presentAttempt(pod, context));
  return attempts.sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.uid, b.uid));
}
