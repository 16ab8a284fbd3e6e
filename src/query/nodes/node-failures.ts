import * as v from "valibot";
import pLimit from "p-limit";
import { type AnswerOf, count, instant, maybe, text } from "../../explain/answer-parts.ts";
import { categoryOfAttempt } from "../../explain/present-attempt.ts";
import { countingRulesOf } from "../../job/accounting/counting-rules.ts";
import { formatInstant, type Instant } from "../../job/model/instant.ts";
import { outcomeOf } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import { NO_CONTEXT } from "../../projection/job-state/derive-row.ts";
import { type JobView, readJob } from "../../projection/job-state/read-job.ts";
import { readSummary } from "../../projection/job-state/summary-bytes.ts";
import type { Scope } from "../access/scope.ts";
import { type JobFilter, matchesRow } from "../list/job-filter.ts";
import type { PlacedRow } from "../list/merged-rows.ts";
import type { QueryPorts } from "../ports.ts";
import { readInPages } from "../usage/read-in-pages.ts";
import { leastFailureShare } from "./failure-bound.ts";

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const nodeSchema = v.object({
  cluster: text,
  node: text,
  pods: v.pipe(count, v.description("Pods that ended on it.")),
  failed: count,
  failedShare: share,
  failedShareAtLeast: v.pipe(
    share,
    v.description("Its lower bound: for all nodes of the answer together, it holds with 95 % confidence."),
  ),
  othersFailedShare: v.pipe(share, v.description("The share of failed Pods on all other nodes of the answer.")),
  worse: v.pipe(v.boolean(), v.description("Whether the lower bound is above the share of the others.")),
  category: maybe(v.pipe(text, v.description("The category of most of its failures."))),
  job: maybe(
    v.pipe(v.object({ namespace: text, name: text }), v.description("The newest Job of which a Pod failed there.")),
  ),
});

export const nodesSchema = v.object({
  since: v.pipe(instant, v.description("Jobs that were created at this time or later.")),
  pods: count,
  failed: count,
  items: v.pipe(
    v.array(nodeSchema),
    v.description("Nodes on which Pods failed, the one with the most evidence first."),
  ),
  nodes: v.pipe(count, v.description("Nodes on which Pods ended.")),
  complete: v.pipe(v.boolean(), v.description("Whether every Job of the range was read.")),
  partial: maybe(
    v.pipe(v.object({ since: instant }), v.description("If not: only Jobs created at this time or later were read.")),
  ),
});
export type NodesAnswer = AnswerOf<typeof nodesSchema>;
export type NodeAnswer = AnswerOf<typeof nodeSchema>;

export interface NodesQuery {
  readonly filter: JobFilter;
  readonly since: Instant;
  /** The most nodes to return. */
  readonly limit: number;
}

/** The most Jobs whose Pods one answer reads, newest first. */
const MOST_JOBS = 10_000;
const AT_ONCE = 32;

/** The nodes on which most Pods failed, compared with all others. Only the Pods of Jobs that the reader may see. */
export async function failingNodes(
  ports: QueryPorts,
  scope: Scope,
  { filter, since, limit }: NodesQuery,
): Promise<NodesAnswer> {
  const tallies = new NodeTallies();
  const among = pLimit(AT_ONCE);
  const read = await readInPages(ports, scope, {
    filter: { ...filter, createdAfter: since - 1 },
    most: MOST_JOBS,
    add: async (rows) => void (await among.map(rows, (row) => addJob(ports, { filter, row }, tallies))),
  });
  return { since: formatInstant(since), ...tallies.answer(limit), ...read };
}

async function addJob(
  { jobs }: QueryPorts,
  { filter, row }: { readonly filter: JobFilter; readonly row: PlacedRow },
  tallies: NodeTallies,
): Promise<void> {
  const { pods } = readSummary(row);
  if (pods.succeeded + pods.failed === 0 || !matchesRow(filter, row, readSummary(row))) return;
  const view = await readJob(jobs, row);
  if (view === undefined) return;
  const categoryOf = categoriesOf(view);
  for await (const pod of view.ownPods()) tallies.add(row, pod, categoryOf);
}

/** The category of a failed Pod. */
export function categoriesOf({ job, podTracked }: Pick<JobView, "job" | "podTracked">): (pod: PodRecord) => string {
  const context = { job, clusterContext: NO_CONTEXT, rules: countingRulesOf(job, { podTracked }) };
  return (pod) => categoryOfAttempt(pod, context) ?? "unknown";
}

interface NodeTally extends Pick<NodeAnswer, "cluster" | "node"> {
  pods: number;
  failed: number;
  readonly categories: Map<string, number>;
  newest?: Pick<PlacedRow, "namespace" | "name" | "createdAt">;
}

class NodeTallies {
  readonly #nodes = new Map<string, NodeTally>();

  add(row: PlacedRow, pod: PodRecord, categoryOf: (pod: PodRecord) => string): void {
    const node = pod.scheduled?.node;
    const outcome = outcomeOf(pod);
    if (node === undefined || (outcome !== "Failed" && outcome !== "Succeeded")) return;
    const tally = this.#of(row.cluster, node);
    tally.pods += 1;
    if (outcome === "Succeeded") return;
    tally.failed += 1;
    const category = categoryOf(pod);
    tally.categories.set(category, (tally.categories.get(category) ?? 0) + 1);
    if (tally.newest === undefined || row.createdAt > tally.newest.createdAt) tally.newest = row;
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
