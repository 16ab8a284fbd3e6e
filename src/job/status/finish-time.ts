import type { Instant } from "../model/instant.ts";
import { firstEnd } from "../model/outcome.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** What a Pod says about when it ended. */
export interface FinishTimes {
  /** When each container and init container ended; `undefined` for one that has not, or does not say. */
  readonly containerEnds: readonly (Instant | undefined)[];
  /** Since when condition Ready is False. */
  readonly unreadySince?: Instant;
  /** `deletionTimestamp` less the grace period. */
  readonly deletionRequestedAt?: Instant;
  readonly createdAt: Instant;
}

/**
 * When the Pod ended, for the back-off: its last container's end if all have ended, else the next best thing
 * (job-semantics 5).
 */
export function finishTimeOf({ containerEnds, unreadySince, deletionRequestedAt, createdAt }: FinishTimes): Instant {
  const ends = containerEnds.filter((end) => end !== undefined);
  if (ends.length > 0 && ends.length === containerEnds.length) return Math.max(...ends);
  return unreadySince ?? deletionRequestedAt ?? createdAt;
}

/** What is known of a Pod's end. */
export function finishTimesOf(pod: PodRecord): FinishTimes {
  const end = firstEnd(pod);
  const ready = end?.conditions.find(({ type, status }) => type === "Ready" && status === "False");
  const unreadySince = ready?.lastTransitionAt ?? pod.observed?.unreadySince;
  const deletionRequestedAt = pod.deletionRequested?.requestedAt;
  return {
    containerEnds: lastContainerEnds(pod, end?.stillRunning ?? []),
    ...(unreadySince !== undefined && { unreadySince }),
    ...(deletionRequestedAt !== undefined && { deletionRequestedAt }),
    createdAt: pod.created?.createdAt ?? 0,
  };
}

function lastContainerEnds(pod: PodRecord, running: readonly string[]): readonly (Instant | undefined)[] {
  const last = new Map<string, Instant | undefined>();
  for (const name of pod.created?.containers ?? []) last.set(name, undefined);
  for (const { container, finishedAt } of [...(pod.ended?.values() ?? [])].sort(
    (a, b) => a.restartCount - b.restartCount,
  )) {
    if (finishedAt !== undefined || !last.has(container)) last.set(container, finishedAt);
  }
  for (const name of running) last.set(name, undefined);
  return [...last.values()];
}
