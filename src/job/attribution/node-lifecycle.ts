import type { ClusterContext, NodeRecord } from "../model/cluster-context.ts";
import { NODE_LIFECYCLE_TYPES, type NodeLifecycle, type NodeLifecycleType, type NodeObserved } from "../model/fact.ts";
import { DAY_MILLIS, type Instant } from "../model/instant.ts";

/** A lifecycle condition of a Node that was True, and the observation that shows it. */
export interface NodeLifecycleAt {
  readonly state: NodeLifecycle;
  readonly fact: NodeObserved;
}

/** Object times have whole seconds. */
const SECOND_MS = 1_000;
/** A condition that was removed, instead of set to False, has no end. It then counts for this long. */
const MAX_MILLIS = DAY_MILLIS;

/** What was done to the Node at `at` (KEP-5683): the most direct of its lifecycle conditions that were True. */
export function nodeLifecycleAt(
  node: string | undefined,
  at: Instant,
  { nodes }: Pick<ClusterContext, "nodes">,
): NodeLifecycleAt | undefined {
  const record = node === undefined ? undefined : nodes.get(node);
  if (record?.lifecycles === undefined) return undefined;
  for (const type of NODE_LIFECYCLE_TYPES) {
    const last = lastTransition(record, type, at);
    if (last?.state.status === "True" && at - last.state.since <= MAX_MILLIS) return last;
  }
  return undefined;
}

function lastTransition(
  { lifecycles = [] }: NodeRecord,
  type: NodeLifecycleType,
  at: Instant,
): NodeLifecycleAt | undefined {
  let last: NodeLifecycleAt | undefined;
  for (const fact of lifecycles) {
    const state = fact.lifecycle?.find((one) => one.type === type);
    // A drain that begins and ends in the second of the deletion counts.
    const slack = state?.status === "True" ? SECOND_MS : 0;
    if (state === undefined || state.since > at + slack) continue;
    if (last === undefined || state.since > last.state.since) last = { state, fact };
  }
  return last;
}
