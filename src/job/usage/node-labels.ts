import type { NodeRecord } from "../model/cluster-context.ts";
import type { NodeObserved } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import { later } from "../model/milestone.ts";

/**
 * The labels of Nodes that set a price. Sources: kubernetes.io/docs/reference/labels-annotations-taints, and the
 * documentation of Karpenter (scheduling), EKS (managed node groups, Fargate), GKE (Spot VMs, preemptible VMs, GPUs),
 * AKS (spot node pools), NVIDIA's GPU feature discovery and AMD's node labeller.
 */
export const NODE_LABELS = [
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "karpenter.sh/capacity-type",
  "eks.amazonaws.com/capacityType",
  "eks.amazonaws.com/compute-type",
  "cloud.google.com/gke-spot",
  "cloud.google.com/gke-preemptible",
  "cloud.google.com/gke-provisioning",
  "cloud.google.com/gke-accelerator",
  "kubernetes.azure.com/scalesetpriority",
  "nvidia.com/gpu.product",
  "amd.com/gpu.product-name",
] as const;
export type NodeLabel = (typeof NODE_LABELS)[number];

export function isNodeLabel(key: string): key is NodeLabel {
  return NODE_LABELS.some((known) => known === key);
}

/**
 * The labels of the Node object that existed at an instant, as it last had them: a cloud adds some of them after the
 * creation. `undefined` if that object was not observed with labels.
 */
export function nodeLabelsAt(labelled: NodeRecord["labelled"], at: Instant): NodeObserved["labels"] {
  const existing = labelled?.findLast(({ createdAt = 0 }) => createdAt <= at);
  const states = labelled?.filter(({ nodeUid }) => nodeUid === existing?.nodeUid) ?? [];
  return states.reduce<NodeObserved | undefined>((last, fact) => later(last, fact), undefined)?.labels;
}
