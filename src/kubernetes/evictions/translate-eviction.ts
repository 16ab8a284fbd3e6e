import type { EvictionCondition, EvictionObserved, EvictionRequester, HintTarget } from "../../job/model/fact.ts";
import { cutText, MAX_NAME_LENGTH, MAX_REQUESTERS } from "../translate/bounds.ts";
import { latestTransition, readConditions } from "../translate/condition.ts";
import { fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isName, isProblems, latestOfMetadata, readMetadata } from "../translate/metadata.ts";
import { type ChangeType, ignored, rejected, type TranslateOptions, type Translated } from "../translate/translated.ts";

/** The API versions of EvictionRequests and Evictions that are read (k8s.io/api lifecycle/v1alpha1, since 1.37). */
export const EVICTION_API_VERSIONS = ["lifecycle.k8s.io/v1alpha1"] as const;

/**
 * Translates an EvictionRequest or an Eviction of `lifecycle.k8s.io` (KEP-4563): who requests the eviction of a Pod.
 * `policy/v1` has a kind `Eviction` too, which is the body of a request and no object.
 */
export function translateEviction(
  of: EvictionObserved["of"],
): (type: ChangeType, object: JsonObject, options: TranslateOptions) => Translated {
  return (type, object, { epoch }) => {
    if (!EVICTION_API_VERSIONS.some((version) => version === object["apiVersion"])) {
      return ignored(`The API version of the ${of} is not ${EVICTION_API_VERSIONS.join(" or ")}.`);
    }
    const metadata = readMetadata(object, "namespaced");
    if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
    const { namespace, name, uid, resourceVersion } = metadata;
    const spec = fieldsOf(object["spec"]);
    const pod = fieldsOf(fieldsOf(spec["target"])["pod"]);
    if (Object.keys(pod).length === 0) return ignored(`The target of the ${of} is not a Pod.`);
    const target = targetOf(pod, namespace);
    if (target === undefined) return rejected("object.spec.target.pod", "The name of the Pod is invalid.");
    const status = fieldsOf(object["status"]);
    const conditions = readConditions(status).filter(({ type: kept }) => CONDITIONS.has(kept));
    const at = Math.max(latestOfMetadata(metadata), latestTransition(conditions));
    const fact: EvictionObserved = {
      epoch,
      resourceVersion,
      at,
      kind: "EvictionObserved",
      hintId: uid,
      of,
      name,
      target,
      createdAt: metadata.createdAt ?? at,
      requesters: of === "EvictionRequest" ? [requesterOf(spec["requester"], spec["intent"])] : requestersIn(status),
      conditions: conditions.map(({ type: kept, status: state, reason, lastTransitionAt }): EvictionCondition => ({
        type: kept,
        status: state,
        ...(reason !== undefined && { reason }),
        ...(lastTransitionAt !== undefined && { lastTransitionAt }),
      })),
      ...(type === "DELETED" && { deleted: true }),
    };
    return { outcome: "translated", facts: [fact] };
  };
}

const CONDITIONS: ReadonlySet<string> = new Set(["TargetEvicted", "Failed"]);

function targetOf({ name, uid }: JsonObject, namespace: string): HintTarget | undefined {
  if (!isName(name, MAX_NAME_LENGTH)) return undefined;
  const text = textOf(uid);
  return { kind: "Pod", namespace, name, ...(text !== undefined && { uid: cutText(text) }) };
}

function requestersIn(status: JsonObject): readonly EvictionRequester[] {
  return itemsOf(status["requesters"])
    .slice(0, MAX_REQUESTERS)
    .map(fieldsOf)
    .map(({ name, intent }) => requesterOf(name, intent));
}

function requesterOf(name: unknown, intent: unknown): EvictionRequester {
  return { name: cutText(textOf(name) ?? ""), intent: cutText(textOf(intent) ?? "") };
}
