import type { NodeRecord, ClusterContext } from "./cluster-record.ts";
import type { NodeDeleted, NodeObserved } from "./fact.ts";
import type { Instant } from "./instant.ts";
import { compareOrder } from "./order.ts";

/** Why nothing can be heard from a Node: its Ready condition is not True, or the Node object is gone. */
export type Silence =
  | { readonly silence: "notReady"; readonly since: Instant; readonly fact: NodeObserved }
  | { readonly silence: "gone"; readonly since: Instant; readonly fact: NodeDeleted };

/** Whether and why the Node is silent now; `undefined` where it is ready, and where nobody saw it. */
export function silenceOf(node: string | undefined, { nodes }: ClusterContext): Silence | undefined {
  const record = node === undefined ? undefined : nodes.get(node);
  if (record === undefined) return undefined;
  const stand = latestStand(record);
  const deletion = record.deleted.reduce<NodeDeleted | undefined>(
    (last, fact) => (last === undefined || compareOrder(fact, last) > 0 ? fact : last),
    undefined,
  );
  if (deletion !== undefined && (stand === undefined || compareOrder(stand, deletion) <= 0)) {
    return { silence: "gone", since: deletion.at, fact: deletion };
  }
  return stand === undefined || stand.ready === "True"
    ? undefined
    : { silence: "notReady", since: stand.since, fact: stand };
}

/** The stand in which the Node was not ready at some moment from `from` to `to`; the last one where there are several. */
export function unreadyBetween(
  node: string | undefined,
  from: Instant,
  to: Instant,
  { nodes }: ClusterContext,
): NodeObserved | undefined {
  const stands = node === undefined ? [] : (nodes.get(node)?.stands ?? []);
  const sorted = stands.toSorted((a, b) => a.since - b.since);
  return sorted.findLast((stand, place) => {
    const until = sorted[place + 1]?.since ?? Number.POSITIVE_INFINITY;
    return stand.ready !== "True" && stand.since <= to && until >= from;
  });
}

/** The Node object that was gone by then, where it did not come back. */
export function goneBy(node: string | undefined, at: Instant, { nodes }: ClusterContext): NodeDeleted | undefined {
  return node === undefined ? undefined : nodes.get(node)?.deleted.find((fact) => fact.at <= at);
}

function latestStand(record: NodeRecord): NodeObserved | undefined {
  return record.stands.reduce<NodeObserved | undefined>(
    (last, stand) => (last === undefined || compareOrder(stand, last) > 0 ? stand : last),
    undefined,
  );
}
