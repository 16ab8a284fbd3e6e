import type { Attribution } from "../attribution/attribution.ts";
import type { PodDeleted, PodDeletionRequested, PodTerminated } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import type { Instant } from "../model/instant.ts";
import { compareOrder, type Order } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { MAX_NAMED_PODS } from "./pod-sample.ts";

/** A success that a controller which counts existing Pods no longer sees. */
export interface LostSuccess {
  readonly pod: PodRecord;
  readonly fact: PodDeletionRequested | PodDeleted | PodTerminated;
  /** Who deleted the Pod; absent if the Pod became Failed instead. */
  readonly by?: Deleter;
}
export type Deleter = Pick<Attribution, "actor" | "confidence">;

/** How the success was lost; `undefined` if the Pod had none, or still has it. */
export function lossOf(pod: PodRecord): LostSuccess["fact"] | undefined {
  return firstEnd(pod)?.phase === "Succeeded" ? (pod.failed ?? pod.deletionRequested ?? pod.deleted) : undefined;
}

/** What is kept of each loss, however many there are. */
interface Loss extends Order {
  readonly by: LostSuccess["by"];
  readonly at: Instant;
  /** Milliseconds from the success to the loss. */
  readonly after: number;
}

/** Lost successes, in any order. All are counted; the first {@link MAX_NAMED_PODS} are kept whole. */
export class LostSuccesses {
  readonly #all: Loss[] = [];
  #first: readonly LostSuccess[] = [];

  add(lost: LostSuccess): void {
    const { pod, fact, by } = lost;
    const at = instantOf(fact);
    const { epoch, resourceVersion } = fact;
    this.#all.push({ epoch, resourceVersion, by, at, after: at - (endedAt(pod) ?? at) });
    const last = this.#first.at(-1);
    if (this.#first.length === MAX_NAMED_PODS && last !== undefined && compareLosses(last, lost) < 0) return;
    this.#first = [...this.#first, lost].sort(compareLosses).slice(0, MAX_NAMED_PODS);
  }

  /** The losses before `last`, and who caused them. */
  before(last: Order): { readonly by: readonly LostSuccess["by"][]; readonly first: readonly LostSuccess[] } {
    const losses = this.#all.filter((loss) => compareOrder(loss, last) <= 0);
    const swept = isSwept(losses.filter(isPossiblySwept));
    const sure = (by: LostSuccess["by"]): LostSuccess["by"] =>
      swept && by !== undefined && isPossiblySwept({ by }) ? { ...by, confidence: "likely" } : by;
    return {
      by: losses.map(({ by }) => sure(by)),
      first: this.#first
        .filter(({ fact }) => compareOrder(fact, last) <= 0)
        .map((lost) => {
          const by = sure(lost.by);
          return by === undefined ? lost : { ...lost, by };
        }),
    };
  }
}

/** Pod GC starts a sweep 20 s after it ended the previous one (`gcCheckPeriod`); object times have whole seconds. */
const SWEEP_MS = 19_000;
/** Above its threshold, Pod GC deletes an ended Pod in the next sweep or the one after; a busy controller is slower. */
const SOON_MS = 120_000;
/** Two sweeps may be chance. */
const MIN_SWEEPS = 3;

/** Whether ended Pods of one Job were deleted as Pod GC does it: soon after their end, repeatedly, one sweep apart. */
function isSwept(losses: readonly Loss[]): boolean {
  if (losses.some(({ after }) => after > SOON_MS)) return false;
  const instants = [...new Set(losses.map(({ at }) => at))].sort((a, b) => a - b);
  return (
    instants.length >= MIN_SWEEPS && instants.every((at, index) => at - (instants[index - 1] ?? -SWEEP_MS) >= SWEEP_MS)
  );
}

function isPossiblySwept({ by }: Pick<Loss, "by">): boolean {
  return by?.actor === "pod-garbage-collector" && by.confidence === "possible";
}

function compareLosses(a: LostSuccess, b: LostSuccess): number {
  return compareOrder(a.fact, b.fact) || (a.pod.uid < b.pod.uid ? -1 : 1);
}
