import * as v from "valibot";
import { count, maybe, text } from "../../../explain/answer-parts.ts";
import type { NodeAnswer, NodesAnswer } from "../../../explain/nodes/nodes-schema.ts";
import { MOST_NODES, nodeShareText, nodesText } from "../../../explain/nodes/nodes-text.ts";
import type { ClusterGap } from "../../../query/clusters/gaps.ts";
import { type Answer, answerEntries, gapsOf } from "../answer.ts";
import { type Page, read } from "../ask.ts";
import { clustersNamed, oldestData } from "../known-clusters.ts";
import { marked, plain, untrusted } from "../marked.ts";
import { linkOf, targetOf } from "../subject.ts";
import { argument, cursorArgument, defineTool, placeIn } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

const share = v.number();

export const nodeReport = defineTool({
  name: "node_report",
  title: "Which nodes fail?",
  description:
    "Report on which nodes the Pods of Kubernetes Jobs failed, and whether a node is worse than the others beyond " +
    "chance. Use it to tell a bad node from a bad program. It needs access to whole clusters, not only to namespaces.",
  input: {
    node: v.exactOptional(argument("Only this node.")),
    cluster: v.exactOptional(argument("Only nodes of this cluster.", 63)),
    namespace: v.exactOptional(argument("Only Jobs of this namespace.", 63)),
    since: v.exactOptional(
      argument("Only Jobs created since: RFC 3339, or a duration such as `2d`. Defaults to `7d`.", 64),
    ),
    ...cursorArgument,
  },
  output: {
    ...answerEntries,
    since: text,
    pods: v.pipe(count, v.description("Pods that ended on all nodes.")),
    failed: count,
    nodeCount: count,
    complete: v.pipe(v.boolean(), v.description("Whether every Job of the time was read.")),
    nodes: v.array(
      v.object({
        cluster: maybe(text),
        node: maybe(text),
        pods: count,
        failed: count,
        failedShare: share,
        failedShareAtLeast: share,
        othersFailedShare: share,
        worse: v.pipe(v.boolean(), v.description("Worse than the others beyond chance (95 % confidence).")),
        category: maybe(text),
        newestFailedJob: maybe(text),
        ...untrusted,
      }),
    ),
  },
  answer: async ({ ask, page }, { node, cursor, ...given }): Promise<Answer> => {
    const question = { nodes: given, node };
    const [sent = 0] = placeIn(question, cursor);
    const answer = await read<NodesAnswer>(ask, "/v1/nodes", { ...given, limit: MOST_NODES });
    const clusters = await clustersNamed(ask, given.cluster);
    const unseen = await read<Page<ClusterGap>>(ask, "/v1/gaps", { cluster: given.cluster, since: answer.since });
    const items = node === undefined ? answer.items : answer.items.filter((one) => one.node === node);
    const { since, pods, failed, nodes, complete } = answer;
    const head = {
      sentence: nodesSentence(answer, node, items),
      ...oldestData(clusters),
      ...gapsOf(unseen.items),
      evidence: [],
      ...linkOf(page, { view: "summary" }),
      since,
      pods,
      failed,
      nodeCount: nodes,
      complete,
    };
    return { head, lists: { nodes: items.map(describeNode) }, sent: Number(sent), question };
  },
});

function nodesSentence(answer: NodesAnswer, node: string | undefined, items: readonly NodeAnswer[]): string {
  if (node === undefined) return nodesText(answer);
  const name = plain(node);
  if (name === undefined) throw new ToolError("The argument `node` is no name of a node.");
  const [one] = items;
  if (one === undefined && answer.items.length >= MOST_NODES) {
    return `Node ${name} is not among the ${MOST_NODES} worst nodes, of Jobs created since ${answer.since}.`;
  }
  if (one === undefined) {
    return `No Pod failed on node ${name}, of Jobs created since ${answer.since}, or the node is unknown.`;
  }
  const { failed, pods, failedShare, othersFailedShare, worse } = one;
  const compared = `${nodeShareText(failedShare)} against ${nodeShareText(othersFailedShare)} on the others`;
  const beyond = worse ? "is worse than the others beyond chance" : "is not worse than the others beyond chance";
  const figures = `${failed} of ${pods} Pods failed (${compared})`;
  return `Node ${name} ${beyond} (95 % confidence): ${figures}, of Jobs created since ${answer.since}.`;
}

function describeNode({ cluster, node, job, category, ...rest }: NodeAnswer) {
  const { failedShare, failedShareAtLeast, othersFailedShare, ...figures } = rest;
  const newestFailedJob = job && targetOf({ cluster, kind: "job", ...job });
  return {
    ...marked({ cluster, node }),
    ...figures,
    ...rounded({ failedShare, failedShareAtLeast, othersFailedShare }),
    ...(category !== undefined && { category }),
    ...(newestFailedJob !== undefined && { newestFailedJob }),
  };
}

function rounded<Name extends string>(shares: Readonly<Record<Name, number>>): Readonly<Record<Name, number>> {
  const entries = Object.entries<number>(shares).map(([name, one]) => [name, Math.round(one * 10_000) / 10_000]);
  return Object.fromEntries(entries) as Record<Name, number>;
}
