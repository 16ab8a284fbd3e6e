import type { ContainerEnded } from "./fact.ts";
import type { Instant } from "./instant.ts";
import { firstEnd } from "./outcome.ts";
import type { PodRecord } from "./pod-record.ts";

/**
 * The last known run of each container, in the order of the Pod's container list, then other containers by name. A
 * placeholder is used only if no real end is known.
 */
export function lastEnds(pod: PodRecord): readonly ContainerEnded[] {
  const last = new Map<string, ContainerEnded>();
  for (const end of pod.ended?.values() ?? []) {
    const known = last.get(end.container);
    if (known === undefined || isLaterRun(end, known)) last.set(end.container, end);
  }
  const listed = pod.created?.containers ?? [];
  const rank = ({ container }: ContainerEnded): number =>
    listed.includes(container) ? listed.indexOf(container) : listed.length;
  return [...last.values()].sort((a, b) => rank(a) - rank(b) || (a.container < b.container ? -1 : 1));
}

/** The kubelet lost the container and wrote an end without information (exit code 137, no times). */
export function isPlaceholder(end: ContainerEnded): boolean {
  return end.reason === "ContainerStatusUnknown";
}

/** Whether the Pod ends when this container does: not an init container and not a sidecar. */
export function isMain(pod: PodRecord, end: ContainerEnded): boolean {
  return end.init !== true && pod.created?.sidecars?.includes(end.container) !== true;
}

/**
 * The container end that explains the end of the Pod. If the Pod succeeded, its last main container; otherwise the
 * first main container that failed, else the first init container that failed, else the last main container.
 *
 * Sidecars are excluded, because their exit codes do not decide the phase.
 */
export function decisiveEnd(pod: PodRecord): ContainerEnded | undefined {
  const ends = lastEnds(pod).filter((end) => pod.created?.sidecars?.includes(end.container) !== true);
  const mains = ends.filter((end) => isMain(pod, end));
  if (firstEnd(pod)?.phase === "Succeeded") return latest(mains);
  return earliest(mains.filter(hasFailed)) ?? earliest(ends.filter(hasFailed)) ?? latest(mains);
}

/** When the Pod started to run: the start of its first container. */
export function startedAt(pod: PodRecord): Instant | undefined {
  let first = pod.started?.startedAt;
  for (const end of pod.ended?.values() ?? []) {
    if (end.startedAt !== undefined && (first === undefined || end.startedAt < first)) first = end.startedAt;
  }
  return first ?? pod.started?.at;
}

/** When the last main container ended, else the instant of the observed terminal phase. */
export function endedAt(pod: PodRecord): Instant | undefined {
  let last: Instant | undefined;
  for (const end of lastEnds(pod)) {
    if (isMain(pod, end) && end.finishedAt !== undefined) last = Math.max(last ?? end.finishedAt, end.finishedAt);
  }
  return last ?? firstEnd(pod)?.at;
}

/** Whether a container is known to have run. */
export function hasRun(pod: PodRecord): boolean {
  return pod.started !== undefined || (pod.ended !== undefined && pod.ended.size > 0);
}

/** Restarts of all containers in place: the sum in the latest observation, or more if the known runs prove it. */
export function restartsOf(pod: PodRecord): number {
  const proven = new Map<string, number>();
  for (const { container, restartCount } of pod.ended?.values() ?? []) {
    proven.set(container, Math.max(proven.get(container) ?? 0, restartCount));
  }
  const sum = [...proven.values()].reduce((total, restarts) => total + restarts, 0);
  return Math.max(sum, pod.observed?.restarts ?? 0);
}

function hasFailed(end: ContainerEnded): boolean {
  return end.exitCode !== 0;
}

function isLaterRun(end: ContainerEnded, known: ContainerEnded): boolean {
  if (isPlaceholder(end) !== isPlaceholder(known)) return isPlaceholder(known);
  return end.restartCount > known.restartCount;
}

function earliest(ends: readonly ContainerEnded[]): ContainerEnded | undefined {
  const real = ends.filter((end) => !isPlaceholder(end));
  return pick(real.length > 0 ? real : ends, (a, b) => finish(a) < finish(b));
}

function latest(ends: readonly ContainerEnded[]): ContainerEnded | undefined {
  return pick(ends, (a, b) => finish(a) > finish(b));
}

function pick(
  ends: readonly ContainerEnded[],
  isBetter: (a: ContainerEnded, b: ContainerEnded) => boolean,
): ContainerEnded | undefined {
  return ends.reduce<ContainerEnded | undefined>(
    (best, end) => (best === undefined || isBetter(end, best) ? end : best),
    undefined,
  );
}

function finish(end: ContainerEnded): Instant {
  return end.finishedAt ?? end.at;
}
