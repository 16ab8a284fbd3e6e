import { type Evidence, podEvidence } from "../model/evidence.ts";
import type { ContainerEnded } from "../model/fact.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt, decisiveEnd } from "../model/pod-end.ts";
import { isPlaceholder, type PodRecord } from "../model/pod-record.ts";

/** How a Pod ended. */
export interface PodEnded {
  readonly what: "podEnded";
  readonly phase: "Succeeded" | "Failed";
  readonly exitCode?: number;
  /** `status.reason` of the Pod: "Evicted". */
  readonly reason?: string;
  /** Why the container ended, unless the exit code says it: "OOMKilled". */
  readonly containerReason?: string;
  /** The container that decided the end, if the Pod has several. */
  readonly container?: string;
}

/** The end of the Pod as evidence; empty until it has ended. */
export function podEndEvidence(pod: PodRecord): readonly Evidence<PodEnded>[] {
  const end = firstEnd(pod);
  if (end === undefined) return [];
  const { phase, reason } = end;
  const ended = decisiveEnd(pod);
  const shows: PodEnded = {
    what: "podEnded",
    phase,
    ...(reason !== undefined && { reason }),
    ...(ended !== undefined && containerShown(pod, ended)),
  };
  return [podEvidence(pod, end, { shows, at: endedAt(pod) })];
}

/** Reasons that repeat what the exit code says. */
const PLAIN_REASONS: ReadonlySet<string> = new Set(["Completed", "Error"]);

/** A placeholder end has an exit code that no program returned. */
function containerShown({ created }: PodRecord, end: ContainerEnded): Partial<PodEnded> {
  if (isPlaceholder(end)) return {};
  const { exitCode, reason = "", container, init } = end;
  const isOneOfSeveral = init === true || (created?.containers.length ?? 1) > 1;
  return {
    exitCode,
    ...(reason !== "" && !PLAIN_REASONS.has(reason) && { containerReason: reason }),
    ...(isOneOfSeveral && { container }),
  };
}
