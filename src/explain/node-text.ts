import type { NodeObserved } from "../job/model/fact.ts";

/** A node's readiness in a sentence: "not ready (NodeStatusUnknown)". */
export function readinessText({ ready, reason }: Pick<NodeObserved, "ready" | "reason">): string {
  const word = ready === "True" ? "ready" : ready === "False" ? "not ready" : "unreachable";
  return reason === undefined ? word : `${word} (${reason})`;
}
