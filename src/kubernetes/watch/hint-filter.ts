import type { HintTarget } from "../../job/model/fact.ts";
import { decodePodUid, type PodUid } from "../../job/model/ids.ts";

/**
 * The most Events that wait for their Pods. Events have their own stream, which may be ahead of the Pods by the
 * duration of a list.
 */
const MAX_WAITING = 10_000;
/** The most deleted Pods to remember, because the last Events of a Pod arrive after its deletion. */
const MAX_GONE = 5_000;

/**
 * Passes Events about Pods of Jobs, and drops those about other Pods, which are most Events of a busy cluster. An Event
 * names its Pod but not the Pod's owner, so it waits until the Pod is known, or until too many Events wait.
 */
export class HintFilter<Hint> {
  readonly #isPodOfJob: (uid: PodUid) => boolean;
  readonly #onDropped: ((hint: Hint) => void) | undefined;
  readonly #gone = new Set<PodUid>();
  /** In order of arrival. */
  readonly #waiting = new Map<PodUid, Hint[]>();
  #count = 0;

  /** `onDropped` gets the waiting Events when too many others have arrived. */
  constructor(isPodOfJob: (uid: PodUid) => boolean, onDropped?: (hint: Hint) => void) {
    this.#isPodOfJob = isPodOfJob;
    this.#onDropped = onDropped;
  }

  /** Whether `hint` may pass now. If not, it waits. */
  passes({ kind, uid }: HintTarget, hint: Hint): boolean {
    const pod = kind === "Pod" ? decodePodUid(uid) : undefined;
    if (pod === undefined || this.#isPodOfJob(pod) || this.#gone.has(pod)) return true;
    this.#wait(pod, hint);
    return false;
  }

  /** Removes and returns the Events that waited for this Pod, which belongs to a Job. */
  released(pod: PodUid): readonly Hint[] {
    const hints = this.#waiting.get(pod);
    if (hints === undefined) return [];
    this.#waiting.delete(pod);
    this.#count -= hints.length;
    return hints;
  }

  /** This Pod of a Job was deleted. */
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
    for (const [oldest, dropped] of this.#waiting) {
      if (this.#count <= MAX_WAITING) return;
      this.#waiting.delete(oldest);
      this.#count -= dropped.length;
      for (const one of dropped) this.#onDropped?.(one);
    }
  }
}
