import type { NodeObserved } from "../../../src/job/model/fact.ts";
import { numberedFact } from "../stores/sealed-segments.ts";

/** A Node that was created at `createdAt`, with these labels from the given resourceVersion on. */
export function labelledNode(
  node: string,
  labels: NodeObserved["labels"] & object,
  { version = 1, nodeUid = `uid-of-${node}`, createdAt = 0 } = {},
): NodeObserved {
  const { resourceVersion } = numberedFact(version);
  const stamp = { epoch: 0, resourceVersion, at: createdAt };
  return { ...stamp, kind: "NodeObserved", node, nodeUid, ready: "True", since: createdAt, labels, createdAt };
}
