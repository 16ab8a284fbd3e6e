import type { ClusterContext } from "../model/cluster-context.ts";
import type { ContainerEnded } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import { compareOrder } from "../model/order.ts";
import { type Silence, silenceOf } from "../model/node-readiness.ts";
import { firstEnd, isGone } from "../model/outcome.ts";
import { lastEnds } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * What keeps a Pod from reaching an end that is reported. A Pod whose program only runs for long is not held.
 */
export type Hold =
  /** All its main containers have ended, and its phase is Running. */
  | { readonly hold: "containersEnded"; readonly since: Instant; readonly end: ContainerEnded }
  /** Its state is unknown: its node is not ready, or gone. */
  | { readonly hold: "nodeSilent"; readonly since: Instant; readonly silence: Silence }
  /**
   * A main container has ended and will not be started again. Other containers still run, or ran `until` the Pod's
   * deletion was requested.
   */
  | {
      readonly hold: "sidecar";
      readonly since: Instant;
      readonly until?: Instant;
      readonly end: ContainerEnded;
      readonly running: readonly string[];
    };

/** The kubelet writes the phase together with the last container's end, or within moments of it. */
const PHASE_FOLLOWS_MS = 5_000;
/** Containers of one program end within moments of each other, and object times have whole seconds. */
const OTHERS_FOLLOW_MS = 3_000;
/**
 * The kubelet starts a failed container again after at most five minutes of back-off, if the Pod's restart policy
 * allows it.
 */
const RESTART_FOLLOWS_MS = 600_000;
/**
 * The kubelet stops sidecars (KEP-753) itself when the main containers have ended; they have their grace period for it.
 */
const SIDECARS_FOLLOW_MS = 60_000;

export interface HoldContext {
  readonly restartPolicy: string;
  readonly clusterContext: ClusterContext;
  readonly now: Instant;
}

/** What holds the Pod at `now`, if anything does; also a sidecar that held it until it was deleted. */
export function holdOf(pod: PodRecord, { restartPolicy, clusterContext, now }: HoldContext): Hold | undefined {
  if (firstEnd(pod) !== undefined || isGone(pod)) return heldUntilDeleted(pod, restartPolicy);
  const silence = silenceOf(pod.scheduled?.node, clusterContext);
  const ended = containersEnded(pod, restartPolicy, now);
  if (ended !== undefined) return ended;
  if (silence !== undefined) return { hold: "nodeSilent", since: silence.since, silence };
  return heldBySidecar(pod, restartPolicy, now);
}

/** A Pod that ended before its deletion was requested was no longer held. */
function heldUntilDeleted(pod: PodRecord, restartPolicy: string): Hold | undefined {
  const { deletionRequested } = pod;
  const end = firstEnd(pod);
  if (deletionRequested === undefined) return undefined;
  if (end !== undefined && compareOrder(end, deletionRequested) < 0) return undefined;
  const hold = heldBySidecar(pod, restartPolicy, deletionRequested.requestedAt);
  return hold && { ...hold, until: deletionRequested.requestedAt };
}

/** Since when nothing is known to have changed in a Pod that runs and that nothing holds; `undefined` for any other. */
export function unchangedSince(pod: PodRecord): Instant | undefined {
  const { observed, deletionRequested } = pod;
  if (firstEnd(pod) !== undefined || isGone(pod) || deletionRequested !== undefined) return undefined;
  return observed?.phase === "Running" && observed.waiting === undefined ? observed.at : undefined;
}

function containersEnded(pod: PodRecord, restartPolicy: string, now: Instant): Hold | undefined {
  const running = runningOf(pod);
  if (running === undefined || running.length > 0) return undefined;
  const mains = mainContainers(pod);
  const ends = lastEnds(pod).filter(({ container }) => mains.includes(container));
  if (ends.length === 0 || ends.length < mains.length) return undefined;
  const last = latest(ends);
  const mayRunAgain = mayRestart(ends, restartPolicy) || ends.some((end) => isRestartable(pod, end));
  return held(last, now, mayRunAgain ? RESTART_FOLLOWS_MS : PHASE_FOLLOWS_MS)
    ? { hold: "containersEnded", since: finish(last), end: last }
    : undefined;
}

function heldBySidecar(
  pod: PodRecord,
  restartPolicy: string,
  until: Instant,
): Extract<Hold, { hold: "sidecar" }> | undefined {
  const running = runningOf(pod);
  if (running === undefined || running.length === 0) return undefined;
  const mains = mainContainers(pod);
  const runningMains = running.filter((name) => mains.includes(name));
  const ends = lastEnds(pod).filter(({ container }) => mains.includes(container) && !running.includes(container));
  if (ends.length === 0 || mayRestart(ends, restartPolicy)) return undefined;
  if (runningMains.length + ends.length < mains.length || isStillAtWork(mains, runningMains)) return undefined;
  const last = latest(ends);
  const follows = runningMains.length === 0 ? SIDECARS_FOLLOW_MS : OTHERS_FOLLOW_MS;
  return held(last, until, ends.some((end) => isRestartable(pod, end)) ? RESTART_FOLLOWS_MS : follows)
    ? { hold: "sidecar", since: finish(last), end: last, running }
    : undefined;
}

function mainContainers({ created }: PodRecord): readonly string[] {
  return created?.containers ?? [];
}

/**
 * Whether a running container may be the one that does the work. As in kubectl, that is the first container, unless its
 * name suggests otherwise.
 */
function isStillAtWork(mains: readonly string[], running: readonly string[]): boolean {
  const [first] = mains;
  return first !== undefined && running.includes(first) && !SIDECAR_NAME.test(first);
}
const SIDECAR_NAME = /(^|[-_.])(proxy|sidecar|agent|envoy|linkerd|istio|fluentd|fluentbit|vault)([-_.]|$)/i;

/**
 * Which containers of a Pod in phase Running are running; `undefined` if all are, or if one is about to be started
 * again.
 */
function runningOf({ observed }: PodRecord): readonly string[] | undefined {
  return observed?.phase === "Running" && observed.waiting === undefined ? observed.running : undefined;
}

/** The kubelet starts a failed container again. */
function mayRestart(ends: readonly ContainerEnded[], restartPolicy: string): boolean {
  return restartPolicy !== "Never" && ends.some(({ exitCode }) => exitCode !== 0);
}

/** The restart rules of the container may start it again (KEP-5307). */
function isRestartable({ created }: PodRecord, { container }: ContainerEnded): boolean {
  return created?.restartable?.includes(container) === true;
}

function held(end: ContainerEnded, now: Instant, grace: number): boolean {
  // A kubelet that was down reports an end late, and the phase a moment after it.
  return now - Math.max(finish(end), end.at) >= grace;
}

function latest(ends: readonly ContainerEnded[]): ContainerEnded {
  return ends.reduce((last, end) => (finish(end) > finish(last) ? end : last));
}

function finish(end: ContainerEnded): Instant {
  return end.finishedAt ?? end.at;
}
