import type { PodTerminated } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import { firstEnd } from "../model/outcome.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** The instants in a Pod from which its end follows. */
export interface FinishTimes {
  /** When each container and init container ended; `undefined` if it has not ended or its end is not known. */
  readonly containerEnds: readonly (Instant | undefined)[];
  /** The last transition of condition Ready to False. */
  readonly unreadySince?: Instant;
  /** `deletionTimestamp` less the grace period. */
  readonly deletionRequestedAt?: Instant;
  readonly createdAt: Instant;
}

/**
 * When the Pod ended, for the back-off (job-semantics 5): the end of its last container if all have ended, otherwise
 * the best other instant.
 */
export function finishTimeOf({ containerEnds, unreadySince, deletionRequestedAt, createdAt }: FinishTimes): Instant {
  const ends = containerEnds.filter((end) => end !== undefined);
  if (ends.length > 0 && ends.length === containerEnds.length) return Math.max(...ends);
  return unreadySince ?? deletionRequestedAt ?? createdAt;
}

/** The finish times that the facts about a Pod contain. */
export function finishTimesOf(pod: PodRecord): FinishTimes {
  const end = firstEnd(pod);
  const unreadySince = unreadySinceOf(pod, end);
  const deletionRequestedAt = pod.deletionRequested?.requestedAt;
  return {
    containerEnds: lastContainerEnds(pod, end?.stillRunning ?? []),
    ...(unreadySince !== undefined && { unreadySince }),
    ...(deletionRequestedAt !== undefined && { deletionRequestedAt }),
    createdAt: pod.created?.createdAt ?? 0,
  };
}

function unreadySinceOf({ observed }: PodRecord, end: PodTerminated | undefined): Instant | undefined {
  const ready = end?.conditions.find(({ type, status }) => type === "Ready" && status === "False");
  return ready?.lastTransitionAt ?? observed?.unreadySince;
}

function lastContainerEnds(pod: PodRecord, running: readonly string[]): readonly (Instant | undefined)[] {
  const last = new Map<string, Instant | undefined>();
  const runs = [...(pod.ended?.values() ?? [])].sort((a, b) => a.restartCount - b.restartCount);
  for (const name of pod.created?.containers ?? []) last.set(name, undefined);
  for (const { container, finishedAt } of runs) {
    if (finishedAt !== undefined || !last.has(container)) last.set(container, finishedAt);
  }
  for (const name of running) last.set(name, undefined);
  return [...last.values()];
}
