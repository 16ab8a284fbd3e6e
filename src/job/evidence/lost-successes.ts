import type { Attribution } from "../attribution/attribution.ts";
import type { PodDeleted, PodDeletionRequested, PodTerminated } from "../model/fact.ts";
import { instantOf } from "../model/fact-instant.ts";
import { compareOrder, type Order, orderOf } from "../model/order.ts";
import { firstEnd } from "../model/outcome.ts";
import { endedAt, isOwnSuccess } from "../model/pod-end.ts";
import type { PodRecord } from "../model/pod-record.ts";
import { type EndedPodDeletion, isSweptByPodGc } from "./pod-gc-sweeps.ts";
import { MAX_NAMED_PODS } from "./pod-sample.ts";

/** A success that a controller which counts existing Pods no longer sees. */
export interface LostSuccess {
  readonly pod: PodRecord;
  readonly fact: PodDeletionRequested | PodDeleted | PodTerminated;
  /** Who deleted the Pod; absent if the Pod became Failed instead. */
  readonly by?: Deleter;
}
export type Deleter = Pick<Attribution, "actor" | "confidence">;

/**
 * How the success was lost; `undefined` if the Pod had none, or still has it. A program that only answered the deletion
 * of its Pod with exit code 0 had no success to lose.
 */
export function lossOf(pod: PodRecord): LostSuccess["fact"] | undefined {
  if (firstEnd(pod)?.phase !== "Succeeded" || !isOwnSuccess(pod)) return undefined;
  return pod.failed ?? pod.deletionRequested ?? pod.deleted;
}

/** What is kept of each loss: little, because there can be many. */
interface Loss extends Order, EndedPodDeletion {
  readonly by: LostSuccess["by"];
}

/** Lost successes, in any order. All are counted; the first {@link MAX_NAMED_PODS} are kept whole. */
export class LostSuccesses {
  readonly #all: Loss[] = [];
  #first: readonly LostSuccess[] = [];

  add(lost: LostSuccess): void {
    const { pod, fact, by } = lost;
    const at = instantOf(fact);
    const graceSeconds = fact.kind === "PodDeletionRequested" ? fact.graceSeconds : 0;
    this.#all.push({ ...orderOf(fact), by, at, afterMillis: at - (endedAt(pod) ?? at), graceSeconds });
    const last = this.#first.at(-1);
    if (this.#first.length === MAX_NAMED_PODS && last !== undefined && compareLosses(last, lost) < 0) return;
    this.#first = [...this.#first, lost].sort(compareLosses).slice(0, MAX_NAMED_PODS);
  }

  /** The losses before `last`, and who caused them. */
  before(last: Order): { readonly by: readonly LostSuccess["by"][]; readonly first: readonly LostSuccess[] } {
    const losses = this.#all.filter((loss) => compareOrder(loss, last) <= 0);
    const isSwept = isSweptByPodGc(losses.filter(isByUnknown));
    const sure = (by: LostSuccess["by"]): LostSuccess["by"] => (isSwept && isByUnknown({ by }) ? POD_GC : by);
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

const POD_GC: Deleter = { actor: "pod-garbage-collector", confidence: "likely" };

function isByUnknown({ by }: Pick<Loss, "by">): boolean {
  return by?.actor === "unknown";
}

function compareLosses(a: LostSuccess, b: LostSuccess): number {
  return compareOrder(a.fact, b.fact) || (a.pod.uid < b.pod.uid ? -1 : 1);
}
