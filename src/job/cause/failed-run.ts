import { podEvents } from "./pod-events.ts";
import { type ContainerRef, detailsAbout, type Exited, type PodCause } from "./pod-cause.ts";
import type { ClusterContext } from "../model/cluster-context.ts";
import type { ContainerEnded, EventHinted } from "../model/fact.ts";
import { firstEnd, isLostByRuntime } from "../model/outcome.ts";
import { hasRestartedAll, lastEnds } from "../model/pod-end.ts";
import { isPlaceholder, type PodRecord } from "../model/pod-record.ts";

/** Why one run of one container failed, by how it ended and by the Events about the Pod. */
export function causeOfRun(pod: PodRecord, end: ContainerEnded, context: ClusterContext): PodCause | undefined {
  if (isPlaceholder(end)) return undefined;
  return (
    outOfMemory(pod, end) ??
    runtimeLost(pod, end) ??
    startFailed(pod, end) ??
    probeFailed(pod, end, context) ??
    exited(pod, end)
  );
}

/** The container as a sentence names it. */
export function containerRef(
  pod: PodRecord,
  { container, init }: Pick<ContainerEnded, "container" | "init">,
): ContainerRef {
  const isSidecar = pod.created?.sidecars?.includes(container) === true;
  return { container, role: isSidecar ? "sidecar" : init === true ? "init" : "main" };
}

/** A child process that ran out of memory gives this reason too, with the exit code of the container's own process. */
function outOfMemory(pod: PodRecord, end: ContainerEnded): PodCause | undefined {
  if (end.reason !== "OOMKilled") return undefined;
  const { exitCode, memoryLimit, podMemoryLimit } = end;
  return {
    cause: "outOfMemory",
    ...containerRef(pod, end),
    exitCode,
    ...(memoryLimit !== undefined && { memoryLimit }),
    ...(podMemoryLimit !== undefined && { podMemoryLimit }),
  };
}

function runtimeLost(pod: PodRecord, end: ContainerEnded): PodCause | undefined {
  if (!isLostByRuntime(end)) return undefined;
  const node = pod.scheduled?.node;
  return { cause: "outcomeLost", by: "runtime", ...containerRef(pod, end), ...(node !== undefined && { node }) };
}

const START_REASONS: ReadonlySet<string> = new Set([
  "StartError",
  "ContainerCannotRun",
  "ContainerDidNotRun",
  "CreateContainerError",
  "RunContainerError",
]);

function startFailed(pod: PodRecord, end: ContainerEnded): PodCause | undefined {
  const { reason = "" } = end;
  if (!START_REASONS.has(reason)) return undefined;
  const details = detailsAbout(end.details, "start", "missing");
  return { cause: "containerNotStarted", ...containerRef(pod, end), reason, ...(details !== undefined && { details }) };
}

/** An Event of a probe may come up to this long after the container that it killed has ended. */
const EVENT_DELAY_MS = 10_000;

function probeFailed(pod: PodRecord, end: ContainerEnded, context: ClusterContext): PodCause | undefined {
  const event = podEvents(pod, context).find((hint) => isKillOf(pod, end, hint));
  const details = detailsAbout(event?.details, "probe");
  if (details === undefined) return undefined;
  return { cause: "probeFailed", probe: details.probe, ...containerRef(pod, end), exitCode: end.exitCode };
}

/**
 * A probe failed, so the kubelet stopped the container, and the program exited with 0: whether its work was done is
 * unknown. The Event Killing names the probe only if the container is started again.
 */
export function answeredProbe(pod: PodRecord, end: ContainerEnded, context: ClusterContext): PodCause | undefined {
  if (end.exitCode !== 0 || pod.deletionRequested !== undefined) return undefined;
  const events = podEvents(pod, context).filter((event) => isDuring(event, end));
  const killing = events.find((event) => event.reason === "Killing" && mayKill(pod, end, event));
  if (killing === undefined) return undefined;
  const probe = events.find((event) => isProbeOf(pod, end, event) && killing.lastAt - event.lastAt <= SECOND_MS);
  const details = detailsAbout(probe?.details, "probe");
  if (details === undefined) return undefined;
  return { cause: "probeFailed", probe: details.probe, ...containerRef(pod, end), exitCode: end.exitCode };
}

/** Object times have whole seconds. */
const SECOND_MS = 1_000;

/** The Event is about this container, or about the only one of the Pod. */
function mayKill(pod: PodRecord, end: ContainerEnded, event: EventHinted): boolean {
  return isOfContainer(pod, end, event) || (event.details === undefined && isOnlyContainer(pod));
}

function isProbeOf(pod: PodRecord, end: ContainerEnded, event: EventHinted): boolean {
  const details = detailsAbout(event.details, "probe");
  return details !== undefined && KILLING_PROBES.has(details.probe) && isOfContainer(pod, end, event);
}

/** A failed readiness probe and a failed preStop hook kill nothing. */
const KILLING_PROBES: ReadonlySet<string> = new Set(["liveness", "startup", "postStart"]);

function isKillOf(pod: PodRecord, end: ContainerEnded, event: EventHinted): boolean {
  const details = detailsAbout(event.details, "probe");
  if (details === undefined || !KILLING_PROBES.has(details.probe) || end.exitCode === 0) return false;
  // One failed check of a liveness probe stops nothing. The Event Killing shows that the container was stopped.
  if (event.reason === "Unhealthy" && !isKilled(end)) return false;
  return isOfContainer(pod, end, event) && isDuring(event, end);
}

function isOfContainer(pod: PodRecord, { container }: ContainerEnded, { details }: EventHinted): boolean {
  const named = detailsAbout(details, "probe");
  if (named === undefined) return false;
  return named.container === undefined ? isOnlyContainer(pod) : named.container === container;
}

/** SIGKILL and SIGTERM. */
function isKilled({ exitCode }: ContainerEnded): boolean {
  return exitCode === 137 || exitCode === 143;
}

function isOnlyContainer({ created }: PodRecord): boolean {
  return (created?.containers.length ?? 1) <= 1 && (created?.sidecars?.length ?? 0) === 0;
}

function isDuring({ firstAt, lastAt }: EventHinted, { startedAt, finishedAt }: ContainerEnded): boolean {
  if (finishedAt !== undefined && firstAt > finishedAt + EVENT_DELAY_MS) return false;
  return startedAt === undefined || lastAt >= startedAt;
}

function exited(pod: PodRecord, end: ContainerEnded): PodCause | undefined {
  const { exitCode, signal } = end;
  if (exitCode === 0) return undefined;
  const unhealthy = unhealthyDevice(pod, end);
  return {
    cause: "exited",
    ...containerRef(pod, end),
    exitCode,
    ...(signal !== undefined && { signal }),
    ...(unhealthy !== undefined && { unhealthy }),
    ...(hasRestartedAll(pod, end) && { restartedAll: true }),
  };
}

/**
 * The latest report of the container's devices is about its last run. One that was Healthy again by then is not in it.
 * Once the Pod has ended, the kubelet no longer reports them (KEP-4680).
 */
function unhealthyDevice(pod: PodRecord, end: ContainerEnded): Exited["unhealthy"] {
  const isLast = lastEnds(pod).includes(end);
  const devices = isLast ? (firstEnd(pod)?.unhealthy ?? pod.observed?.unhealthy ?? []) : [];
  const found = devices.find(({ container }) => container === end.container);
  return found && { resource: found.resource, device: found.device };
}
