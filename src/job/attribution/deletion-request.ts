import { type ClusterContext, hintKey } from "../model/cluster-context.ts";
import { clusterEvidence, type Evidence } from "../model/evidence.ts";
import type { HintTarget, RequestHinted } from "../model/fact.ts";
import type { Instant } from "../model/instant.ts";
import type { Attribution, DeletionShows } from "./attribution.ts";

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
  { hints: all }: Pick<ClusterContext, "hints">,
): RequestHinted | undefined {
  const hints = all.get(hintKey(deleted.target)) ?? [];
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

/** What else is known about a deletion that was requested. */
export interface RequestedDeletion {
  readonly object: "Job" | "Run";
  readonly inferred?: Attribution | undefined;
  readonly evidence: readonly Evidence<DeletionShows>[];
}

/** The audit log names the actor. The inferred cause stays if it has the same actor. */
export function attributeToRequest(
  request: RequestHinted,
  { object, inferred, evidence }: RequestedDeletion,
): Attribution {
  const { user, target } = request;
  const actor = actorOf(user);
  const shows = { what: "deletedByRequest", user, evicted: false } as const;
  const shown = clusterEvidence(request, { kind: target.kind.toLowerCase(), name: target.name }, shows);
  if (inferred?.actor === actor) {
    return { actor, cause: inferred.cause, confidence: "certain", evidence: [...inferred.evidence, shown] };
  }
  const cause = { cause: "request", object, user, evicted: false } as const;
  return { actor, cause, confidence: "certain", evidence: [...evidence, shown] };
}

/** The last part of a user's name: "system:serviceaccount:kube-system:job-controller" is the job-controller. */
export function actorOf(user: string): string {
  return user.split(":").findLast((part) => part !== "") ?? "unknown";
}

function isKubelet(user: string): boolean {
  return user.startsWith("system:node:") || actorOf(user).endsWith("kubelet");
}
