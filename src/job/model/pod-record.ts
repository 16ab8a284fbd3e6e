import type {
  ContainerEnded,
  PodCreated,
  PodDeleted,
  PodDeletionRequested,
  PodDisrupted,
  PodFact,
  PodObserved,
  PodReleased,
  PodReserved,
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
import { compareOrder } from "./order.ts";

/**
 * The facts about one Pod: the first of each kind, and the latest observation before its end. A record is a small set
 * of facts, so it is stored and read as facts.
 */
export interface PodRecord {
  readonly uid: PodUid;
  readonly created?: PodCreated;
  readonly tracked?: PodTracked;
  readonly untracked?: PodUntracked;
  /** The first that says when; otherwise the first. */
  readonly scheduled?: PodScheduled;
  /** Every observation of its request, in their order. */
  readonly reserved?: readonly PodReserved[];
  /** The first that names the start of a container; otherwise the first. */
  readonly started?: PodStarted;
  /** The latest observation in a phase that is not terminal. Every other fact here is the earliest of its kind. */
  readonly observed?: PodObserved;
  /** The first observation of a container that could not start. The latest observation may no longer show it. */
  readonly waited?: PodObserved;
  /** The first observation in which the scheduler had found no node. */
  readonly unscheduled?: PodObserved;
  readonly succeeded?: PodTerminated;
  readonly failed?: PodTerminated;
  /** One end for each run of each container, by {@link containerRun}; absent if there is none. */
  readonly ended?: ReadonlyMap<string, ContainerEnded>;
  readonly disrupted?: PodDisrupted;
  readonly deletionRequested?: PodDeletionRequested;
  readonly released?: PodReleased;
  readonly deleted?: PodDeleted;
  readonly vanished?: PodVanished;
}

/** How many observations of the request a record keeps: the earliest ones. The log has those that differ. */
const MAX_RESERVED = 64;

/** Whether the observation of the request that precedes `fact`, as far as is known, shows the same request. */
export function repeatsRequest({ reserved = [] }: PodRecord, fact: PodReserved): boolean {
  const before = reserved.findLast((known) => compareOrder(known, fact) <= 0);
  return before !== undefined && isSameRequest(before, fact);
}

export function isSameRequest({ requests: a }: PodReserved, { requests: b }: PodReserved): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/**
 * The key of one run of one container. A placeholder end has its own key, so that it never replaces the real end.
 */
export function containerRun(end: ContainerEnded): string {
  return `${end.container}/${end.restartCount}${isPlaceholder(end) ? "?" : ""}`;
}

/**
 * The kubelet has lost the container, or removed it to restart all containers of the Pod (KEP-5532), and reports a
 * placeholder (exit code 137, no times).
 */
export function isPlaceholder({ reason }: Pick<ContainerEnded, "reason">): boolean {
  return reason === "ContainerStatusUnknown" || reason === RESTARTING_ALL;
}

/** The reason of a container that a restart of all containers of its Pod removed, and of one that waits for it. */
export const RESTARTING_ALL = "RestartingAllContainers";

/** Whether a container that waits for this reason has run before. */
export function isBetweenRuns(reason: string): boolean {
  return reason === "CrashLoopBackOff" || reason === RESTARTING_ALL;
}

/**
 * How many container runs a record keeps: the earliest ones, and the last one of each container. The latest observation
 * contains the sum of restarts.
 */
const MAX_ENDS = 64;

/** `pod` with `fact` joined in; `pod` itself if the fact adds nothing. */
export function joinPodFact(pod: PodRecord, fact: PodFact): PodRecord {
  return joinFactOfKind(pod, fact.kind, fact);
}

function joinFactOfKind<Kind extends PodFactKind>(pod: PodRecord, kind: Kind, fact: PodFactByKind[Kind]): PodRecord {
  return JOINS[kind](pod, fact);
}

type PodFactKind = PodFact["kind"];
type PodFactByKind = { readonly [F in PodFact as F["kind"]]: F };

const JOINS: { readonly [Kind in PodFactKind]: (pod: PodRecord, fact: PodFactByKind[Kind]) => PodRecord } = {
  PodCreated: (pod, fact) => keep(pod, "created", earlier(pod.created, fact)),
  PodTracked: (pod, fact) => keep(pod, "tracked", earlier(pod.tracked, fact)),
  PodUntracked: (pod, fact) => keep(pod, "untracked", earlier(pod.untracked, fact)),
  PodScheduled: (pod, fact) =>
    keep(
      pod,
      "scheduled",
      firstOfBest(pod.scheduled, fact, ({ scheduledAt }) => scheduledAt !== undefined),
    ),
  PodReserved: (pod, fact) => keep(pod, "reserved", withReservation(pod.reserved, fact)),
  PodStarted: (pod, fact) =>
    keep(
      pod,
      "started",
      firstOfBest(pod.started, fact, ({ accepted }) => accepted === undefined),
    ),
  PodObserved: withObservation,
  PodTerminated: (pod, fact) =>
    fact.phase === "Succeeded"
      ? keep(pod, "succeeded", earlier(pod.succeeded, fact))
      : keep(pod, "failed", earlier(pod.failed, fact)),
  ContainerEnded: (pod, fact) => keep(pod, "ended", withEnd(pod.ended, withoutDigest(fact))),
  PodDisrupted: (pod, fact) => keep(pod, "disrupted", earlier(pod.disrupted, fact)),
  PodDeletionRequested: (pod, fact) => keep(pod, "deletionRequested", earlier(pod.deletionRequested, fact)),
  PodReleased: (pod, fact) => keep(pod, "released", earlier(pod.released, fact)),
  PodDeleted: (pod, fact) => keep(pod, "deleted", earlier(pod.deleted, fact)),
  PodVanished: (pod, fact) => keep(pod, "vanished", earlier(pod.vanished, fact)),
};

/** The facts of a record, in the order of its fields. Joined into an empty record, they give the same record. */
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
  return [...milestones, ...(pod.reserved ?? []), ...ends];
}

/** Of the facts that say more, or else of all, the earliest. */
function firstOfBest<F extends PodFact>(known: F | undefined, seen: F, isBetter: (fact: F) => boolean): F {
  if (known === undefined || isBetter(known) === isBetter(seen)) return earlier(known, seen);
  return isBetter(known) ? known : seen;
}

function withReservation(reserved: readonly PodReserved[] = [], fact: PodReserved): readonly PodReserved[] {
  const at = reserved.findLastIndex((known) => compareOrder(known, fact) <= 0);
  const same = reserved[at];
  if (same === undefined || compareOrder(same, fact) < 0) {
    return at + 1 < MAX_RESERVED ? reserved.toSpliced(at + 1, 0, fact).slice(0, MAX_RESERVED) : reserved;
  }
  const kept = earlier(same, fact);
  return kept === same ? reserved : reserved.with(at, kept);
}

/** The observations of a record, each once: most often two of the fields contain the same one. */
function observationsOf({ observed, waited, unscheduled }: PodRecord): Iterable<PodObserved | undefined> {
  return new Set([observed, waited, unscheduled]);
}

function withObservation(pod: PodRecord, fact: PodObserved): PodRecord {
  const seen = keep(pod, "observed", later(pod.observed, fact));
  const waited = cannotStart(fact) ? keep(seen, "waited", earlier(seen.waited, fact)) : seen;
  return fact.unscheduled === undefined ? waited : keep(waited, "unscheduled", earlier(waited.unscheduled, fact));
}

/** Whether a container waits before its first run. */
function cannotStart({ waiting }: PodObserved): boolean {
  return waiting !== undefined && !isBetweenRuns(waiting.reason);
}

/** The join of two records of the same Pod: commutative, associative, idempotent. */
export function joinPods(a: PodRecord, b: PodRecord): PodRecord {
  return factsOfPod(b).reduce(joinPodFact, a);
}

function keep<Slot extends keyof PodRecord>(pod: PodRecord, slot: Slot, value: PodRecord[Slot]): PodRecord {
  return pod[slot] === value ? pod : { ...pod, [slot]: value };
}

/** The log keeps the digest, as it keeps the images of the Job (job-record.ts). */
function withoutDigest(fact: ContainerEnded): ContainerEnded {
  if (fact.imageDigest === undefined) return fact;
  const { imageDigest: _, ...kept } = fact;
  return kept;
}

function withEnd(ended: PodRecord["ended"], fact: ContainerEnded): ReadonlyMap<string, ContainerEnded> {
  const run = containerRun(fact);
  const known = ended?.get(run);
  const kept = earlier(known, fact);
  if (kept === known && ended !== undefined) return ended;
  const next = new Map(ended).set(run, kept);
  if (next.size > MAX_ENDS) {
    const runs = [...next.values()].sort(byRun);
    const last = new Map(runs.map((one) => [one.container, one]));
    for (const one of runs.slice(MAX_ENDS)) if (last.get(one.container) !== one) next.delete(containerRun(one));
  }
  return ended !== undefined && next.size === ended.size && !next.has(run) ? ended : next;
}

function byRun(a: ContainerEnded, b: ContainerEnded): number {
  return a.restartCount - b.restartCount || (containerRun(a) < containerRun(b) ? -1 : 1);
}
