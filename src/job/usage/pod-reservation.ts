import type { ContainerEnded, PodFact, PodReserved } from "../model/fact.ts";
import { earliestOf, type Instant } from "../model/instant.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { factsOfPod, isPlaceholder, isSameRequest, type PodRecord } from "../model/pod-record.ts";
import { parseQuantity } from "./quantity.ts";

/** The time that a Pod reserved resources of a node, in three parts: until its work began, its work, and the rest. */
export interface PodReservation {
  readonly boundAt: Instant;
  /** When the first regular container started; the end if none did. */
  readonly beganAt: Instant;
  /** When the last regular container ended; the end if that is not known. */
  readonly doneAt: Instant;
  /** When the Pod was released, or the instant of the answer. */
  readonly endedAt: Instant;
  readonly isOver: boolean;
  /** The containers say when it was released. Otherwise the release is dated by the fact that showed it. */
  readonly isExact: boolean;
  /** What it reserved, in order of time. Each applies until the next one; the first from the beginning. */
  readonly steps: readonly ReservationStep[];
}

export interface ReservationStep {
  readonly from: Instant;
  /** Nano-units by resource. */
  readonly requests: ReadonlyMap<string, bigint>;
}

export interface ReservationContext {
  readonly now: Instant;
  /** A container that ended is started again. */
  readonly restarts: (end: ContainerEnded) => boolean;
}

/** What a Pod reserved; `undefined` of a Pod that was never bound to a node. */
export function reservationOf(pod: PodRecord, { now, restarts }: ReservationContext): PodReservation | undefined {
  const boundAt = boundAtOf(pod);
  if (boundAt === undefined) return undefined;
  const release = releaseOf(pod);
  const endedAt = Math.max(boundAt, release?.at ?? now);
  const inside = (at: Instant): Instant => Math.min(Math.max(at, boundAt), endedAt);
  const started = startedAtOf(pod);
  const beganAt = started === undefined ? endedAt : inside(started);
  const done = workEndedAt(pod, release === undefined ? restarts : () => false);
  return {
    boundAt,
    beganAt,
    doneAt: done === undefined ? endedAt : Math.max(beganAt, inside(done)),
    endedAt,
    isOver: release !== undefined,
    isExact: release?.isExact ?? true,
    steps: stepsOf(pod),
  };
}

/** The transition of condition PodScheduled, else when the kubelet accepted the Pod, else its creation. */
export function boundAtOf({ scheduled, created }: PodRecord): Instant | undefined {
  return scheduled?.scheduledAt ?? scheduled?.acceptedAt ?? (scheduled && (created?.createdAt ?? scheduled.at));
}

/** The first start of a regular container. */
function startedAtOf({ started, ended }: PodRecord): Instant | undefined {
  const ends = [...(ended?.values() ?? [])].filter(({ init }) => init !== true);
  const observed = started?.accepted === true ? undefined : started?.startedAt;
  return earliestOf([observed, ...ends.map(({ startedAt }) => startedAt)]);
}

interface Release {
  readonly at: Instant;
  readonly isExact: boolean;
}

/** `undefined` while the Pod may still reserve something. */
function releaseOf(pod: PodRecord): Release | undefined {
  const end = firstEnd(pod);
  const gone = pod.deleted ?? pod.vanished;
  if (end === undefined) return gone && { at: namedBy(pod, gone), isExact: false };
  const ends = lastRuns(pod);
  const finishes = ends.flatMap(({ finishedAt }) => finishedAt ?? []);
  const isExact = finishes.length > 0 && finishes.length === ends.length && !mayStillRun(pod, end);
  return isExact ? { at: Math.max(...finishes), isExact } : { at: namedBy(pod, end), isExact };
}

/** A container ran when the Pod was reported as ended, and its end was not observed later. */
function mayStillRun(pod: PodRecord, end: PodFact & { readonly stillRunning?: readonly string[] }): boolean {
  const running = end.stillRunning ?? [];
  return running.some((name) => !lastRuns(pod).some((run) => run.container === name && compareOrder(run, end) > 0));
}

/**
 * The last run of each container, as far as the container is not waiting for another one. The kubelet's placeholder
 * counts as a run of its own, because nothing is known about that run.
 */
function lastRuns(pod: PodRecord): readonly ContainerEnded[] {
  const last = new Map<string, ContainerEnded>();
  for (const run of pod.ended?.values() ?? []) {
    const known = last.get(run.container);
    if (known === undefined || isLater(run, known)) last.set(run.container, run);
  }
  const end = firstEnd(pod);
  const isWaiting = (run: ContainerEnded): boolean =>
    end?.waitingAgain?.includes(run.container) === true && compareOrder(run, end) <= 0;
  return [...last.values()].filter((run) => !isWaiting(run));
}

function isLater(run: ContainerEnded, known: ContainerEnded): boolean {
  return run.restartCount > known.restartCount || (run.restartCount === known.restartCount && isPlaceholder(known));
}

/** When the last regular container ended; `undefined` unless all have ended and say when. */
function workEndedAt(pod: PodRecord, restarts: (end: ContainerEnded) => boolean): Instant | undefined {
  const { created, observed } = pod;
  const end = firstEnd(pod);
  if (created === undefined || created.containers.length === 0 || created.truncated === true) return undefined;
  const runs = lastRuns(pod);
  const finishes = created.containers.map((name) => {
    const run = runs.find(({ container }) => container === name);
    return run === undefined || isRunning(run) || restarts(run) ? undefined : run.finishedAt;
  });
  return finishes.includes(undefined) ? undefined : Math.max(...finishes.flatMap((at) => at ?? []));

  function isRunning(run: ContainerEnded): boolean {
    if (end !== undefined) return end.stillRunning?.includes(run.container) === true && compareOrder(run, end) <= 0;
    return observed !== undefined && (observed.running ?? created?.containers ?? []).includes(run.container);
  }
}

/** The request at each observation that shows another one than before. */
function stepsOf(pod: PodRecord): readonly ReservationStep[] {
  const { reserved = [] } = pod;
  const changes = reserved.filter((fact, index) => {
    const before = reserved[index - 1];
    return before === undefined || !isSameRequest(before, fact);
  });
  return changes.map((fact) => ({ from: namedBy(pod, fact), requests: amountsOf(fact) }));
}

function amountsOf({ requests }: PodReserved): ReadonlyMap<string, bigint> {
  return new Map(Object.entries(requests).map(([resource, quantity]) => [resource, parseQuantity(quantity) ?? 0n]));
}

/** The time of a fact: the latest instant that its object, or an earlier one of this Pod, names. */
function namedBy(pod: PodRecord, fact: Order): Instant {
  let named = 0;
  for (const other of factsOfPod(pod)) if (compareOrder(other, fact) <= 0) named = Math.max(named, other.at);
  return named;
}
