import { type Evidence, podEvidence } from "../model/evidence.ts";
import { firstEnd, isPlaceholder } from "../model/outcome.ts";
import { endedAt, decisiveEnd } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** How a Pod ended. */
export interface PodEnded {
  readonly what: "podEnded";
  readonly phase: "Succeeded" | "Failed";
  readonly exitCode?: number;
  readonly reason?: string;
}

/** The end of the Pod as evidence; empty until it has ended. */
export function podEndEvidence(pod: PodRecord): readonly Evidence<PodEnded>[] {
  const end = firstEnd(pod);
  if (end === undefined) return [];
  const { phase, reason } = end;
  const ended = decisiveEnd(pod);
  // A placeholder end has an exit code that no program returned.
  const exitCode = ended === undefined || isPlaceholder(ended) ? undefined : ended.exitCode;
  const shows: PodEnded = {
    what: "podEnded",
    phase,
    ...(exitCode !== undefined && { exitCode }),
    ...(reason !== undefined && { reason }),
  };
  return [podEvidence(pod, end, { shows, at: endedAt(pod) })];
}
