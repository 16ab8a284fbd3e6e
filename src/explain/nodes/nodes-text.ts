import { count } from "../../job/text/sentence.ts";
import type { NodeAnswer, NodesAnswer } from "./nodes-schema.ts";

/** The most nodes that one answer has. */
export const MOST_NODES = 1_000;

/** What an answer about failing nodes says as a whole. */
export function nodesText({ failed, pods, nodes, since, items }: NodesAnswer): string {
  const on = `${failed} of ${count(pods, "Pod")} failed on ${count(nodes, "node")}`;
  return `${on}, of Jobs created since ${since}. ${worseText(items)} (95 % confidence).`;
}

/** The worst nodes are listed first, so that others may be worse too if all of these are. */
function worseText(items: readonly NodeAnswer[]): string {
  const worse = items.filter((item) => item.worse).length;
  if (worse === 0) return "None is worse than the others beyond chance";
  const atLeast = worse === items.length ? "At least " : "";
  return `${atLeast}${worse} ${worse === 1 ? "is" : "are"} worse than the others beyond chance`;
}

export function nodeShareText(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
