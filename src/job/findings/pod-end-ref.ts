import type { FactRef } from "../../explain/answer-document.ts";
import { podFactRef } from "../model/fact-ref.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt, speakingEnd } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** How the Pod ended, as evidence; none while it has not. */
export function podEndRef(pod: PodRecord): readonly FactRef[] {
  const end = firstEnd(pod);
  if (end === undefined) return [];
  const code = speakingEnd(pod)?.exitCode;
  const reason = end.reason === undefined ? "" : ` (${end.reason})`;
  const word = end.phase === "Succeeded" ? "succeeded" : "failed";
  return [podFactRef(pod, end, `${word}${code === undefined ? "" : ` with exit code ${code}`}${reason}`, endedAt(pod))];
}
