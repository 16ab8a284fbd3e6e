import type { Fact, NodeObserved } from "../../../job/model/fact.ts";

/**
 * Removes repeated states of a Node from the log. Kubelets write the status of their Node every few minutes, even
 * without a change.
 */
export class NodeReadinessHistory {
  readonly #states = new Map<string, string>();

  /** `facts` without those that repeat the last state of a Node. */
  withoutRepeats(facts: readonly Fact[]): readonly Fact[] {
    return facts.filter((fact) => {
      if (fact.kind === "NodeDeleted") this.#states.delete(fact.nodeUid);
      return fact.kind !== "NodeObserved" || this.#isNew(fact);
    });
  }

  #isNew({ nodeUid, ready, since, reason, unschedulable, taints, labels, lifecycle }: NodeObserved): boolean {
    const state = JSON.stringify([ready, since, reason, unschedulable, taints, labels, lifecycle]);
    if (this.#states.get(nodeUid) === state) return false;
    this.#states.set(nodeUid, state);
    return true;
  }
}
