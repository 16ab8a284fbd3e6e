import { outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import { leastFailureShare } from "./failure-bound.ts";
import type { NodeAnswer, NodesAnswer } from "../../explain/nodes/nodes-schema.ts";

interface NodeTally extends Pick<NodeAnswer, "cluster" | "node"> {
  pods: number;
  failed: number;
  readonly categories: Map<string, number>;
  newest?: Pick<PlacedRow, "namespace" | "name" | "createdAt">;
}

/** A person or a controller deleted the Pod, which says nothing about its node. */
const BY_PEOPLE = "deleted";

/** How many Pods ended on each node, and how many of them failed, or were lost with it. */
export class NodeTallies {
  readonly #nodes = new Map<string, NodeTally>();

  add(row: PlacedRow, pod: PodRecord, categoryOf: (pod: PodRecord) => string): void {
    const node = pod.scheduled?.node;
    const outcome = outcomeOf(pod);
    if (node === undefined || outcome === "Active" || outcome === "Terminating") return;
    const category = outcome === "Succeeded" ? undefined : categoryOf(pod);
    if (category === BY_PEOPLE) return;
    const tally = this.#of(row.cluster, node);
    tally.pods += 1;
    if (category !== undefined) addFailure(tally, category, row);
  }

  answer(limit: number): Pick<NodesAnswer, "pods" | "failed" | "items" | "nodes"> {
    const all = [...this.#nodes.values()];
    const pods = all.reduce((sum, node) => sum + node.pods, 0);
    const failed = all.reduce((sum, node) => sum + node.failed, 0);
    const items = all
      .filter((node) => node.failed > 0)
      .map((node) => nodeAnswer(node, { pods, failed, nodes: all.length }))
      .sort((a, b) => evidence(b) - evidence(a) || (a.node < b.node ? -1 : 1));
    return { pods, failed, items: items.slice(0, limit), nodes: all.length };
  }

  #of(cluster: string, node: string): NodeTally {
    const key = `${cluster}/${node}`;
    const known = this.#nodes.get(key) ?? { cluster, node, pods: 0, failed: 0, categories: new Map<string, number>() };
    this.#nodes.set(key, known);
    return known;
  }
}

function addFailure(tally: NodeTally, category: string, row: PlacedRow): void {
  tally.failed += 1;
  tally.categories.set(category, (tally.categories.get(category) ?? 0) + 1);
  if (tally.newest === undefined || row.createdAt > tally.newest.createdAt) tally.newest = row;
}

function evidence({ failedShareAtLeast, othersFailedShare }: NodeAnswer): number {
  return failedShareAtLeast - othersFailedShare;
}

interface AllNodes {
  readonly pods: number;
  readonly failed: number;
  readonly nodes: number;
}

function nodeAnswer({ cluster, node, pods, failed, categories, newest }: NodeTally, all: AllNodes): NodeAnswer {
  const [category] = [...categories].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0] ?? [];
  const failedShareAtLeast = leastFailureShare({ failed, pods }, all.nodes);
  const othersFailedShare = all.pods === pods ? 0 : (all.failed - failed) / (all.pods - pods);
  return {
    cluster,
    node,
    pods,
    failed,
    failedShare: failed / pods,
    failedShareAtLeast,
    othersFailedShare,
    worse: all.nodes > 1 && failedShareAtLeast > othersFailedShare,
    ...(category !== undefined && { category }),
    ...(newest && { job: { namespace: newest.namespace, name: newest.name } }),
  };
}
