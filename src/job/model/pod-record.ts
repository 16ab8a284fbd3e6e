import type {
  ContainerEnded,
  PodCreated,
  PodDeleted,
  PodDeletionRequested,
  PodDisrupted,
  PodFact,
  PodObserved,
  PodReleased,
  PodScheduled,
  PodStarted,
  PodTerminated,
  PodTracked,
  PodUntracked,
  PodVanished,
} from "./fact.ts";
import { compareText } from "./compare-text.ts";
import type { PodUid } from "./ids.ts";
import { earlier, later } from "./milestone.ts";

/**
 * All that is known of one Pod: the facts that tell its story, each the first of its kind, and the latest observation of it alive.
 * A record is itself a small set of facts: writing it down and reading it back is writing and reading facts.
 */
export interface PodRecord {
  readonly uid: PodUid;
  readonly created?: PodCreated;
  readonly tracked?: PodTracked;
  readonly untracked?: PodUntracked;
  readonly scheduled?: PodScheduled;
  readonly started?: PodStarted;
  /** The latest observation of it in a phase that is not terminal; every other fact here is the earliest of its kind. */
  readonly observed?: PodObserved;
  /** The first observation of a container that could not start: later ones repeat it, and the last before the end may hide it. */
  readonly waited?: PodObserved;
  /** The first observation in which the scheduler had found no node. */
  readonly unscheduled?: PodObserved;
  readonly succeeded?: PodTerminated;
  readonly failed?: PodTerminated;
  /** One end for each run of each container, by {@link containerRun}; absent while there is none. */
  readonly ended?: ReadonlyMap<string, ContainerEnded>;
  readonly disrupted?: PodDisrupted;
  readonly deletionRequested?: PodDeletionRequested;
  readonly released?: PodReleased;
  readonly deleted?: PodDeleted;
  readonly vanished?: PodVanished;
}

/**
 * One run of one container. A placeholder end (ContainerStatusUnknown: the kubelet lost the container) is a run of its own,
 * so that it never hides the true end.
 */
export function containerRun(end: ContainerEnded): string {
  return `${end.container}/${end.restartCount}${end.reason === "ContainerStatusUnknown" ? "?" : ""}`;
}

/** The most container runs a Pod's record keeps: the lowest restart counts of each name and thus how it began; the latest observation holds the sum. */
const MAX_ENDS = 64;

/** `pod` with `fact` joined in; `pod` itself where the fact says nothing new. */
export function joinPodFact(pod: PodRecord, fact: PodFact): PodRecord {
  switch (fact.kind) {
    case "PodCreated":
      return keep(pod, "created", earlier(pod.created, fact));
    case "PodTracked":
      return keep(pod, "tracked", earlier(pod.tracked, fact));
    case "PodUntracked":
      return keep(pod, "untracked", earlier(pod.untracked, fact));
    case "PodScheduled":
      return keep(pod, "scheduled", earlier(pod.scheduled, fact));
    case "PodStarted":
      return keep(pod, "started", earlier(pod.started, fact));
    case "PodObserved":
      return withObservation(pod, fact);
    case "PodTerminated":
      return fact.phase === "Succeeded"
        ? keep(pod, "succeeded", earlier(pod.succeeded, fact))
        : keep(pod, "failed", earlier(pod.failed, fact));
    case "ContainerEnded":
      return keep(pod, "ended", withEnd(pod.ended, fact));
    case "PodDisrupted":
      return keep(pod, "disrupted", earlier(pod.disrupted, fact));
    case "PodDeletionRequested":
      return keep(pod, "deletionRequested", earlier(pod.deletionRequested, fact));
    case "PodReleased":
      return keep(pod, "released", earlier(pod.released, fact));
    case "PodDeleted":
      return keep(pod, "deleted", earlier(pod.deleted, fact));
    case "PodVanished":
      return keep(pod, "vanished", earlier(pod.vanished, fact));
  }
}

/** The facts a record is made of, in the order of the fields. Joined into an empty record they give it back. */
export function factsOfPod(pod: PodRecord): readonly PodFact[] {
  const milestones = [
    pod.created,
    pod.tracked,
    pod.untracked,
    pod.scheduled,
    pod.started,
    ...observationsOf(pod),
    pod.succeeded,
    pod.failed,
    pod.disrupted,
    pod.deletionRequested,
    pod.released,
    pod.deleted,
    pod.vanished,
  ].filter((fact) => fact !== undefined);
  const ends = [...(pod.ended?.entries() ?? [])].sort(([a], [b]) => compareText(a, b)).map(([, end]) => end);
  return [...milestones, ...ends];
}

/** A Pod is most often observed waiting only once, and then the slots hold the same fact. */
function observationsOf({ observed, waited, unscheduled }: PodRecord): Iterable<PodObserved | undefined> {
  return new Set([observed, waited, unscheduled]);
}

function withObservation(pod: PodRecord, fact: PodObserved): PodRecord {
  const seen = keep(pod, "observed", later(pod.observed, fact));
  const waited = isHeldUp(fact) ? keep(seen, "waited", earlier(seen.waited, fact)) : seen;
  return fact.unscheduled === undefined ? waited : keep(waited, "unscheduled", earlier(waited.unscheduled, fact));
}

/** CrashLoopBackOff follows the end of a run, which the record has. */
function isHeldUp({ waiting }: PodObserved): boolean {
  return waiting !== undefined && waiting.reason !== "CrashLoopBackOff";
}

/** The join of two records of the same Pod: commutative, associative, idempotent. */
export function joinPods(a: PodRecord, b: PodRecord): PodRecord {
  return factsOfPod(b).reduce(joinPodFact, a);
}

function keep<Slot extends keyof PodRecord>(pod: PodRecord, slot: Slot, value: PodRecord[Slot]): PodRecord {
  return pod[slot] === value ? pod : { ...pod, [slot]: value };
}

function withEnd(ended: PodRecord["ended"], fact: ContainerEnded): ReadonlyMap<string, ContainerEnded> {
  const run = containerRun(fact);
  const known = ended?.get(run);
  const kept = earlier(known, fact);
  if (kept === known && ended !== undefined) return ended;
  const next = new Map(ended).set(run, kept);
  if (next.size > MAX_ENDS) {
    const surplus = [...next.values()].sort(byRun).at(-1);
    if (surplus !== undefined) next.delete(containerRun(surplus));
  }
  return ended !== undefined && next.size === ended.size && !next.has(run) ? ended : next;
}

function byRun(a: ContainerEnded, b: ContainerEnded): number {
  return a.restartCount - b.restartCount || (containerRun(a) < containerRun(b) ? -1 : 1);
}
