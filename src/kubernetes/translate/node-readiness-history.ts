import type { Fact, NodeObserved } from "../../job/model/fact.ts";

/** Kubelets write their Node's status every few minutes though nothing has changed. This keeps such repeats out of the log. */
export class NodeReadinessHistory {
  readonly #told = new Map<string, string>();

  /** `facts` without those that say of a Node what was said of it last. */
  news(facts: readonly Fact[]): readonly Fact[] {
    return facts.filter((fact) => {
      if (fact.kind === "NodeDeleted") this.#told.delete(fact.nodeUid);
      return fact.kind !== "NodeObserved" || this.#isNew(fact);
    });
  }

  #isNew({ nodeUid, ready, since, reason, unschedulable, taints }: NodeObserved): boolean {
    const standing = JSON.stringify([ready, since, reason, unschedulable, taints]);
    if (this.#told.get(nodeUid) === standing) return false;
    this.#told.set(nodeUid, standing);
    return true;
  }
}
