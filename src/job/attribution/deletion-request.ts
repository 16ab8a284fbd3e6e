import { type ClusterContext, hintKey } from "../model/cluster-context.ts";
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
 * How far before the creation a request may be: clocks of API servers differ by less, and creations have whole seconds.
 * The deletion of an earlier object of the same name must not be mistaken for this one.
 */
const CREATION_SLACK_MS = 1_000;

/**
 * The first successful request that did not come from a kubelet. A graceful deletion takes two requests, the second one
 * by the kubelet. Pod GC repeats its request every 20 s while the Pod waits for its finalizer (both measured).
 */
export function firstDeletionRequest(
  deleted: DeletedObject,
  clusterContext: ClusterContext,
): RequestHinted | undefined {
  const hints = clusterContext.hints.get(hintKey(deleted.target)) ?? [];
  return hints
    .filter((hint) => hint.kind === "RequestHinted")
    .filter((hint) => hint.code < 300 && !isKubelet(hint.user) && isAbout(deleted, hint))
    .reduce<RequestHinted | undefined>(
      (first, hint) => (first === undefined || hint.requestedAt < first.requestedAt ? hint : first),
      undefined,
    );
}

/** By uid if the audit event has one, else by the time of the request. */
function isAbout({ uid, from, to = Infinity }: DeletedObject, { target, requestedAt }: RequestHinted): boolean {
  if (target.uid !== undefined) return target.uid === uid;
  return requestedAt >= from - CREATION_SLACK_MS && requestedAt <= to + SLACK_MS;
}

/** The last part of a user's name: "system:serviceaccount:kube-system:job-controller" is the job-controller. */
export function actorOf(user: string): string {
  return user.split(":").findLast((part) => part !== "") ?? "unknown";
}

function isKubelet(user: string): boolean {
  return user.startsWith("system:node:") || actorOf(user).endsWith("kubelet");
}
