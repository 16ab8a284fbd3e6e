import type { NodeLifecycleType, NodeObserved } from "../job/model/fact.ts";

/** A node's readiness in a sentence: "not ready (NodeStatusUnknown)". */
export function readinessText({ ready, reason }: Pick<NodeObserved, "ready" | "reason">): string {
  const word = ready === "True" ? "ready" : ready === "False" ? "not ready" : "unreachable";
  return reason === undefined ? word : `${word} (${reason})`;
}

const LIFECYCLES = {
  GracefulNodeShutdownInProgress: "during a graceful shutdown of its node",
  DrainInProgress: "during a drain of its node",
  MaintenanceInProgress: "during maintenance of its node",
  Drained: "after a drain of its node",
  MaintenancePlanned: "before planned maintenance of its node",
} as const satisfies Record<NodeLifecycleType, string>;

/** When a Pod ended, by what was done to its node: "during a drain of its node". */
export function lifecycleText(type: NodeLifecycleType): string {
  return LIFECYCLES[type];
}
