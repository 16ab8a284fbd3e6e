import type { SchedulingCause, SchedulingObstacle } from "../../job/model/message-details.ts";
import { isResourceName, type ParseMessage } from "./message-grammar.ts";

/** The clauses of kube-scheduler's plugins and their meanings. The first match counts. */
const OBSTACLES: readonly (readonly [RegExp, SchedulingObstacle])[] = [
  [/untolerated taint|that the pod didn't tolerate/, "taint"],
  [/were unschedulable/, "cordoned"],
  [/node affinity\/selector|didn't match node selector|Pod's node affinity|requested node name/, "nodeSelector"],
  [/pod (?:anti-)?affinity|anti-affinity rules/, "podAffinity"],
  [/topology spread/, "topologySpread"],
  [/free ports/, "hostPort"],
  [/unbound immediate PersistentVolumeClaims|available persistent volumes to bind/, "volumeUnbound"],
  [/persistentvolumeclaim "[^"]*" not found|bound to non-existent/, "volumeMissing"],
  [/volume|free storage|no available disk/, "volume"],
  [/claim/, "resourceClaim"],
  [/scheduling gates?/, "gated"],
];
const MAX_CAUSES = 8;

/**
 * Why the scheduler found no node: "0/14 nodes are available: 12 Insufficient cpu, 2 node(s) had untolerated taint
 * {a: b}. preemption: ...". The part about preemption is left out, because it repeats the causes.
 */
export const parseSchedulingMessage: ParseMessage = (message) => {
  if (/^(?:Scheduling is blocked due to|waiting for) .*scheduling gates?/.test(message)) {
    return { about: "scheduling", causes: [{ cause: "gated" }] };
  }
  const [, groupProblem] = GROUP_PROBLEMS.find(([text]) => message.startsWith(text)) ?? [];
  if (groupProblem !== undefined) return { about: "scheduling", causes: [{ cause: groupProblem }] };
  if (message.startsWith("no nodes available to schedule pods")) return { about: "scheduling", nodes: 0, causes: [] };
  const [, nodes, rest] = /^[0-9]+\/([0-9]{1,9}) nodes are available:? ?(.*)$/s.exec(message) ?? [];
  if (nodes === undefined || rest === undefined) return undefined;
  return { about: "scheduling", nodes: Number(nodes), causes: causesOf(withoutPreemption(rest)) };
};

/** The plugin GangScheduling, before it lets a Pod into the queue (KEP-4671). */
const GROUP_PROBLEMS: readonly (readonly [string, SchedulingObstacle])[] = [
  ["waiting for pods's pod group", "podGroupMissing"],
  ["waiting for minCount pods from a gang", "podGroupIncomplete"],
];

/** Why the scheduler does not yet try to place a Pod (KEP-5501). Most plugins write texts of their own. */
export const parseNotReadyMessage: ParseMessage = (message, options) => {
  if (/^(?:waiting for )?resource ?claim /i.test(message)) {
    return { about: "scheduling", causes: [{ cause: "resourceClaim" }] };
  }
  return parseSchedulingMessage(message, options);
};

function withoutPreemption(text: string): string {
  return text.replace(/[.,]? (?:no new claims to deallocate|preemption:).*$/s, "").replace(/\.\s*$/, "");
}

function causesOf(text: string): readonly SchedulingCause[] {
  const counted = [...text.matchAll(/(?:^|, )([0-9]{1,9}) (.+?)(?=, [0-9]+ |$)/gs)];
  if (counted.length === 0) return text === "" ? [] : [{ cause: obstacleOf(text) }];
  const causes = counted.map(([, nodes = "", clause = ""]) => causeOf(clause, Number(nodes)));
  return [...causes].sort((a, b) => (b.nodes ?? 0) - (a.nodes ?? 0) || rankOf(a) - rankOf(b)).slice(0, MAX_CAUSES);
}

/** A Pod cannot run on the nodes that its selector excludes, so other obstacles are more informative. */
function rankOf({ cause }: SchedulingCause): number {
  return cause === "nodeSelector" ? 1 : 0;
}

function causeOf(clause: string, nodes: number): SchedulingCause {
  const resource =
    /^Insufficient (\S+)$/.exec(clause)?.[1] ?? (clause.startsWith("Too many pods") ? "pods" : undefined);
  if (resource === undefined) return { cause: obstacleOf(clause), nodes };
  return { cause: "insufficient", nodes, ...(isResourceName(resource) && { resource }) };
}

function obstacleOf(clause: string): SchedulingObstacle {
  return OBSTACLES.find(([pattern]) => pattern.test(clause))?.[1] ?? "other";
}
