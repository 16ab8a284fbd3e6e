import { type ClusterContext, hintKey } from "../model/cluster-record.ts";
import type { HintTarget, RequestHinted } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";

/** The deleted object, and the interval of the request if the audit event has no uid. */
export interface DeletedObject {
  readonly target: Omit<HintTarget, "uid">;
  readonly uid: string;
  readonly from: Instant;
  readonly to?: Instant;
}

/** Clocks in a cluster differ by less. */
const SLACK_MS = 5_000;
/**
 * API servers differ by less, and a creation has whole seconds. The deletion of an earlier object of the same name must
 * not be taken for this one.
 */
const CREATION_SLACK_MS = 1_000;

/**
 * The first successful request that did not come from a kubelet. A graceful deletion takes two requests, the second one
 * by the kubelet. Pod GC repeats its request every 20 s while the Pod waits for its finalizer (both measured).
 */
export function firstDeletionRequest(
  { target, uid, from, to }: DeletedObject,
  clusterContext: ClusterContext,
): RequestHinted | undefined {
  let first: RequestHinted | undefined;
  for (const hint of clusterContext.hints.get(hintKey(target)) ?? []) {
    if (hint.kind !== "RequestHinted" || hint.code >= 300 || isKubelet(hint.user)) continue;
    const isSameObject =
      hint.target.uid === undefined
        ? hint.requestedAt >= from - CREATION_SLACK_MS && (to === undefined || hint.requestedAt <= to + SLACK_MS)
        : hint.target.uid === uid;
    if (isSameObject && (first === undefined || hint.requestedAt < first.requestedAt)) first = hint;
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
