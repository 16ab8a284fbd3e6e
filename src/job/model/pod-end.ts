import type { ContainerEnded } from "./fact.ts";
import type { Instant } from "./instant.ts";
import { firstEnd, isUnknownEnd } from "./outcome.ts";
import { compareOrder, type Order } from "./order.ts";
import { containerRun, isPlaceholder, type PodRecord, RESTARTING_ALL } from "./pod-record.ts";

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

/** Every known end, without the placeholder of a run whose real end is known. */
export function knownEnds({ ended }: PodRecord): readonly ContainerEnded[] {
  const all = [...(ended?.values() ?? [])];
  const real = new Set(all.filter((end) => !isPlaceholder(end)).map((end) => `${containerRun(end)}?`));
  return all.filter((end) => !real.has(containerRun(end)));
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

/** Whether a program ran in the Pod, as far as was observed. A placeholder end does not show that. */
export function hasRun(pod: PodRecord): boolean {
  return pod.started !== undefined || [...(pod.ended?.values() ?? [])].some((end) => !isPlaceholder(end));
}

/**
 * Whether the program succeeded by itself, and not in answer to the deletion of its Pod: it may answer SIGTERM with 0.
 * Within one second only the resourceVersions order the two. A silent node reports an end late, so that an earlier
 * second counts too.
 */
export function isOwnSuccess(pod: PodRecord): boolean {
  const { deletionRequested, succeeded } = pod;
  if (succeeded === undefined) return false;
  if (deletionRequested === undefined || compareOrder(endOrder(pod, succeeded), deletionRequested) < 0) return true;
  return (endedAt(pod) ?? succeeded.at) < deletionRequested.requestedAt;
}

/** The first observation that its main containers had ended, which may precede that of the terminal phase. */
export function endOrder(pod: PodRecord, end: Order): Order {
  const ends = lastEnds(pod).filter((one) => isMain(pod, one));
  const mains = pod.created?.containers ?? [];
  if (mains.length === 0 || ends.length < mains.length) return end;
  const last: Order = ends.reduce((a, b) => (compareOrder(a, b) < 0 ? b : a));
  return compareOrder(last, end) < 0 ? last : end;
}

/**
 * Restarts of all containers in place: the sum in the latest observation, or more if the known runs prove it. The
 * number in a placeholder proves nothing, because the kubelet writes it without a run.
 */
export function restartsOf(pod: PodRecord): number {
  const proven = new Map<string, number>();
  for (const end of pod.ended?.values() ?? []) {
    if (isPlaceholder(end)) continue;
    const { container, restartCount } = end;
    proven.set(container, Math.max(proven.get(container) ?? 0, restartCount));
  }
  const sum = [...proven.values()].reduce((total, restarts) => total + restarts, 0);
  return Math.max(sum, pod.observed?.restarts ?? 0);
}

/**
 * Whether the kubelet removed all containers of the Pod for this end, to start them again in place (KEP-5532): it then
 * replaces the end by a placeholder.
 */
export function hasRestartedAll({ ended }: PodRecord, end: ContainerEnded): boolean {
  return !isPlaceholder(end) && ended?.get(containerRun({ ...end, reason: RESTARTING_ALL }))?.reason === RESTARTING_ALL;
}

/**
 * Whether a sidecar ended while its Pod was being deleted: that belongs to the end of the Pod. With KEP-4438, the
 * kubelet starts it again until the main containers have ended.
 */
export function isWhileTerminating({ created, deletionRequested }: PodRecord, end: ContainerEnded): boolean {
  if (deletionRequested === undefined || created?.sidecars?.includes(end.container) !== true) return false;
  if (end.finishedAt !== undefined) return end.finishedAt >= deletionRequested.requestedAt;
  return compareOrder(end, deletionRequested) >= 0;
}

function hasFailed(end: ContainerEnded): boolean {
  return end.exitCode !== 0;
}

function isLaterRun(end: ContainerEnded, known: ContainerEnded): boolean {
  if (isPlaceholder(end) !== isPlaceholder(known)) return isPlaceholder(known);
  return end.restartCount > known.restartCount;
}

function earliest(ends: readonly ContainerEnded[]): ContainerEnded | undefined {
  const known = ends.filter((end) => !isUnknownEnd(end));
  const reported = ends.filter((end) => !isPlaceholder(end));
  const best = [known, reported, ends].find(({ length }) => length > 0) ?? ends;
  return pick(best, (a, b) => finish(a) < finish(b));
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
