import type { ContainerEnded, PodTerminated } from "./fact.ts";
import { compareOrder } from "./order.ts";
import type { PodRecord } from "./pod-record.ts";

export type Outcome = "Succeeded" | "Failed" | "Active" | "Terminating" | "Unknown";

/**
 * What became of the Pod. The first terminal phase decides. A Pod that is gone without one is Unknown, never Failed,
 * and so is a failed Pod if no container says how its program ended.
 */
export function outcomeOf(pod: PodRecord): Outcome {
  const end = firstEnd(pod);
  if (end !== undefined) return isEndLost(pod, end) ? "Unknown" : end.phase;
  if (isGone(pod)) return "Unknown";
  return pod.deletionRequested === undefined ? "Active" : "Terminating";
}

/** The first terminal phase that was observed of the Pod. */
export function firstEnd({ succeeded, failed }: PodRecord): PodTerminated | undefined {
  if (succeeded === undefined || failed === undefined) return succeeded ?? failed;
  return compareOrder(failed, succeeded) < 0 ? failed : succeeded;
}

/** The Pod object no longer exists. */
export function isGone({ deleted, vanished }: PodRecord): boolean {
  return deleted !== undefined || vanished !== undefined;
}

/** Both terminal phases were observed: the phase was written again after the Pod had ended. */
export function hasFlipped({ succeeded, failed }: PodRecord): boolean {
  return succeeded !== undefined && failed !== undefined;
}

/** The exit code that containerd gives to a container that ended while containerd or the node was down. */
const LOST_EXIT_CODE = 255;

/** The container runtime or the node was down when the container ended: the exit code is not the program's. */
export function isLostByRuntime({ exitCode, reason }: Pick<ContainerEnded, "exitCode" | "reason">): boolean {
  return exitCode === LOST_EXIT_CODE && reason === "Unknown";
}

/** The kubelet has lost the container and reports a placeholder (exit code 137, no times). */
export function isPlaceholder(end: Pick<ContainerEnded, "reason">): boolean {
  return end.reason === "ContainerStatusUnknown";
}

/** How the program ended is unknown, whatever exit code is reported. */
export function isUnknownEnd(end: ContainerEnded): boolean {
  return isPlaceholder(end) || isLostByRuntime(end);
}

/** Containers that ran when the Pod was reported Failed, and whose end was not observed later either. */
export function isStillRunning({ ended, ...pod }: PodRecord): boolean {
  const ends = [...(ended?.values() ?? [])].filter((end) => !isUnknownEnd(end));
  const running = firstEnd(pod)?.stillRunning ?? [];
  return running.some((name) => !ends.some(({ container }) => container === name));
}

function isEndLost(pod: PodRecord, { phase, reason = "" }: PodTerminated): boolean {
  if (phase === "Succeeded") return false;
  const ends = [...(pod.ended?.values() ?? [])].filter((end) => !isSidecar(pod, end));
  const last = ends.filter((end) => !isFollowed(end, ends));
  if (last.some((end) => !isUnknownEnd(end) && end.exitCode !== 0)) return false;
  if (isStillRunning(pod)) return true;
  if (last.some((end) => isLostByRuntime(end) || (isPlaceholder(end) && hasStarted(pod)))) return true;
  return SHUTDOWN_REASONS.has(reason) && last.some(({ exitCode }) => exitCode === 0);
}

/**
 * `status.reason` of a Pod that the kubelet ended because its node shut down. A program may answer that with exit code
 * 0, whether or not its work was done.
 */
const SHUTDOWN_REASONS: ReadonlySet<string> = new Set(["Terminated", "NodeShutdown", "Shutdown"]);

/** The same container has a later run, or a true end of this run. */
function isFollowed(end: ContainerEnded, ends: readonly ContainerEnded[]): boolean {
  return ends.some(
    (other) =>
      other.container === end.container &&
      (other.restartCount > end.restartCount ||
        (other.restartCount === end.restartCount && isPlaceholder(end) && !isPlaceholder(other))),
  );
}

/** A placeholder alone does not show that the container ever ran. */
function hasStarted({ started, ended }: PodRecord): boolean {
  return started !== undefined || [...(ended?.values() ?? [])].some((end) => !isPlaceholder(end));
}

function isSidecar({ created }: PodRecord, { container }: ContainerEnded): boolean {
  return created?.sidecars?.includes(container) === true;
}
