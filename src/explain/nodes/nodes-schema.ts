import * as v from "valibot";
import { type AnswerOf, count, instant, maybe, text } from "../answer-parts.ts";

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
