import type { PodCause } from "./pod-cause.ts";
import { type CauseShare, MAX_CAUSES } from "./cause.ts";
import { byCreation, PodSample } from "../evidence/pod-sample.ts";
import { canonical } from "../model/canonical.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";

/** One attempt, or one failed run in place, and why it failed. */
export interface Occurrence {
  readonly pod: PodRecord;
  readonly why: PodCause;
  readonly at: Instant;
}

/** The attempts and runs of one cause, in any order. */
export class CauseGroup {
  readonly pods = new PodSample();
  attempts = 0;
  restarts = 0;
  beside = 0;
  counted = 0;
  ignored = 0;
  /** The programs of all attempts exited with 0 after the deletion of their Pods. */
  answered = false;
  /** Pods that led to the end of the Job. */
  deciding = 0;
  /** A rule FailJob or FailIndex of the Job's podFailurePolicy matched a Pod. */
  isFinalByPolicy = false;
  readonly ignoredBy = new Set<number>();
  #first: Occurrence;

  constructor(first: Occurrence) {
    this.#first = first;
  }

  add(occurrence: Occurrence): void {
    this.pods.add(occurrence.pod);
    if (compareOccurrences(occurrence, this.#first) < 0) this.#first = occurrence;
  }

  get first(): Occurrence {
    return this.#first;
  }

  get share(): CauseShare {
    const { attempts, restarts, beside, counted, ignored, answered } = this;
    const ignoredBy = [...this.ignoredBy].sort((a, b) => a - b);
    return {
      why: this.#first.why,
      attempts,
      restarts,
      ...(beside > 0 && { beside }),
      counted,
      ignored,
      ignoredBy,
      ...(answered && { answered }),
    };
  }
}

/** Groups by cause. The result does not depend on the order, up to {@link MAX_CAUSES} different causes. */
export class CauseGroups {
  readonly #groups = new Map<string, CauseGroup>();

  /** The group of the occurrence; `undefined` if there are too many causes. */
  add(occurrence: Occurrence): CauseGroup | undefined {
    const key = keyOf(occurrence.why);
    const known = this.#groups.get(key);
    if (known === undefined && this.#groups.size >= MAX_CAUSES) return undefined;
    const group = known ?? new CauseGroup(occurrence);
    if (known === undefined) this.#groups.set(key, group);
    group.add(occurrence);
    return group;
  }

  /** In the order of the first occurrences. */
  inOrder(): readonly CauseGroup[] {
    return [...this.#groups.values()].sort(byOccurrence);
  }
}

export function byOccurrence(a: CauseGroup, b: CauseGroup): number {
  return compareOccurrences(a.first, b.first);
}

/** When the attempt failed. */
export function causedAt(pod: PodRecord): Instant {
  const fact = pod.failed ?? pod.deletionRequested ?? pod.deleted ?? pod.vanished ?? pod.created;
  return endedAt(pod) ?? (fact === undefined ? 0 : instantOf(fact));
}

function compareOccurrences(a: Occurrence, b: Occurrence): number {
  return a.at - b.at || byCreation(a.pod, b.pod);
}

export function isSameCause(a: PodCause, b: PodCause): boolean {
  return keyOf(a) === keyOf(b);
}

/**
 * Fields that do not distinguish causes: the node, the time, and whether a pull has just failed or waits for the next
 * try.
 */
function keyOf(why: PodCause): string {
  const { node: _, since: __, reason, ...same } = { node: undefined, since: undefined, reason: undefined, ...why };
  return canonical(why.cause === "imageNotPulled" ? same : { ...same, ...(reason !== undefined && { reason }) });
}
