import { hintKey, type ClusterContext } from "../model/cluster-record.ts";
import type { HintTarget, RequestHinted } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";

/** What took an object away, as far as its audit events tell: which object, and in which span of time the request must lie where they name no uid. */
export interface Sought {
  readonly target: Omit<HintTarget, "uid">;
  readonly uid: string;
  readonly from: Instant;
  readonly to?: Instant;
}

/** Clocks in a cluster differ by less. */
const SLACK_MS = 5_000;
/** API servers differ by less, and an object's creation is cut down to its second: who deleted the one before of the same name must not be taken for ours. */
const CREATION_SLACK_MS = 1_000;

/**
 * The request that began it: the first that succeeded and was not the kubelet's. A graceful deletion is two requests, the second one by
 * the kubelet with no grace left; and Pod GC asks again every 20 s for a Pod that waits for its finalizer (both measured).
 */
export function initiatorOf(
  { target, uid, from, to }: Sought,
  clusterContext: ClusterContext,
): RequestHinted | undefined {
  let first: RequestHinted | undefined;
  for (const hint of clusterContext.hints.get(hintKey(target)) ?? []) {
    if (hint.kind !== "RequestHinted" || hint.code >= 300 || isKubelet(hint.user)) continue;
    const isOurs =
      hint.target.uid === undefined
        ? hint.requestedAt >= from - CREATION_SLACK_MS && (to === undefined || hint.requestedAt <= to + SLACK_MS)
        : hint.target.uid === uid;
    if (isOurs && (first === undefined || hint.requestedAt < first.requestedAt)) first = hint;
  }
  return first;
}

/** The last part of a user's name: "system:serviceaccount:kube-system:job-controller" is the job-controller. */
export function actorOf(user: string): string {
  return user.split(":").findLast((part) => part !== "") ?? "unknown";
}

function isKubelet(user: string): boolean {
  return user.startsWith("system:node:") || actorOf(user).endsWith("kubelet");
}
