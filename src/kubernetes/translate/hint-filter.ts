import type { HintTarget } from "../../job/model/fact.ts";
import { decodePodUid, type PodUid } from "../../job/model/ids.ts";

/** What waits at most: an Event comes on a stream of its own and may be ahead of its Pod by as long as a list takes. */
const MAX_WAITING = 10_000;
/** Of so many Pods that are gone Events are still taken: the last ones come after the Pod. */
const MAX_GONE = 5_000;

/**
 * Keeps Events about Pods of Jobs and lets those about other Pods go, which are most Events of a busy cluster. An Event names its Pod and not
 * the Pod's owner, so that it waits until the Pod is known, or until too many wait.
 */
export class HintFilter<Hint> {
  readonly #isPodOfJob: (uid: PodUid) => boolean;
  readonly #gone = new Set<PodUid>();
  /** In the order they came. */
  readonly #waiting = new Map<PodUid, Hint[]>();
  #count = 0;

  constructor(isPodOfJob: (uid: PodUid) => boolean) {
    this.#isPodOfJob = isPodOfJob;
  }

  /** Whether `hint` is to be told now. If not, it waits. */
  passes({ kind, uid }: HintTarget, hint: Hint): boolean {
    const pod = kind === "Pod" ? decodePodUid(uid) : undefined;
    if (pod === undefined || this.#isPodOfJob(pod) || this.#gone.has(pod)) return true;
    this.#wait(pod, hint);
    return false;
  }

  /** What waited for this Pod, which turns out to be one of a Job. */
  released(pod: PodUid): readonly Hint[] {
    const hints = this.#waiting.get(pod);
    if (hints === undefined) return [];
    this.#waiting.delete(pod);
    this.#count -= hints.length;
    return hints;
  }

  /** This Pod of a Job is gone. */
  gone(pod: PodUid): void {
    this.#gone.add(pod);
    if (this.#gone.size <= MAX_GONE) return;
    for (const oldest of this.#gone) {
      this.#gone.delete(oldest);
      return;
    }
  }

  #wait(pod: PodUid, hint: Hint): void {
    const hints = this.#waiting.get(pod);
    if (hints === undefined) this.#waiting.set(pod, [hint]);
    else hints.push(hint);
    this.#count += 1;
    for (const [oldest, { length }] of this.#waiting) {
      if (this.#count <= MAX_WAITING) return;
      this.#waiting.delete(oldest);
      this.#count -= length;
    }
  }
}
