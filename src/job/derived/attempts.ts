import type { Attempt } from "../../explain/answer-document.ts";
import { attemptOf, type AttemptContext } from "./attempt.ts";
import { compareText } from "../model/compare-text.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** A Job's attempts in order of creation, ties by uid. */
export function attemptsOf(pods: Iterable<PodRecord>, context: AttemptContext): readonly Attempt[] {
  const attempts = Array.from(pods, (pod) => attemptOf(pod, context));
  return attempts.sort((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.uid, b.uid));
}
