import type { NodeRecord, ClusterContext } from "./cluster-context.ts";
import type { NodeDeleted, NodeObserved } from "./fact.ts";
import type { Instant } from "./instant.ts";
import { compareOrder } from "./order.ts";

/** Why a Node is silent: its Ready condition is not True, or the Node object is gone. */
export type Silence =
  | { readonly silence: "notReady"; readonly since: Instant; readonly fact: NodeObserved }
  | { readonly silence: "gone"; readonly since: Instant; readonly fact: NodeDeleted };

/** Why the Node is silent now; `undefined` if it is ready, or was never observed. */
export function silenceOf(node: string | undefined, { nodes }: ClusterContext): Silence | undefined {
  const record = node === undefined ? undefined : nodes.get(node);
  if (record === undefined) return undefined;
  const state = latestReadyState(record);
  const deletion = record.deleted.reduce<NodeDeleted | undefined>(
    (last, fact) => (last === undefined || compareOrder(fact, last) > 0 ? fact : last),
    undefined,
  );
  if (deletion !== undefined && (state === undefined || compareOrder(state, deletion) <= 0)) {
    return { silence: "gone", since: deletion.at, fact: deletion };
  }
  return state === undefined || state.ready === "True"
    ? undefined
    : { silence: "notReady", since: state.since, fact: state };
}

/** The last state in which the Node was not ready at any time in the closed interval; `undefined` if there is none. */
export function unreadyBetween(
  node: string | undefined,
  { from, to }: { readonly from: Instant; readonly to: Instant },
  { nodes }: ClusterContext,
): NodeObserved | undefined {
  const states = node === undefined ? [] : (nodes.get(node)?.stands ?? []);
  const sorted = states.toSorted((a, b) => a.since - b.since);
  return sorted.findLast((state, at) => {
    const until = sorted[at + 1]?.since ?? Number.POSITIVE_INFINITY;
    return state.ready !== "True" && state.since <= to && until >= from;
  });
}

/** The first deletion of a Node with this name, up to `at`. */
export function goneBy(node: string | undefined, at: Instant, { nodes }: ClusterContext): NodeDeleted | undefined {
  return node === undefined ? undefined : nodes.get(node)?.deleted.find((fact) => fact.at <= at);
}

function latestReadyState(record: NodeRecord): NodeObserved | undefined {
  return record.stands.reduce<NodeObserved | undefined>(
    (last, state) => (last === undefined || compareOrder(state, last) > 0 ? state : last),
    undefined,
  );
}
