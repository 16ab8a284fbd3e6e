import type { PodRef } from "../../job/model/evidence.ts";
import { list } from "../../job/text/sentence.ts";

/** The most Pods that a sentence names. */
const MAX_LISTED_PODS = 5;

/** The first few Pods and how many more there are. */
export function listPods<Named extends PodRef>(
  { pods = [], podCount = pods.length }: { readonly pods?: readonly Named[]; readonly podCount?: number },
  textOf: (pod: Named) => string = ({ name }) => name,
): string {
  return list(pods.map(textOf), MAX_LISTED_PODS, podCount);
}
