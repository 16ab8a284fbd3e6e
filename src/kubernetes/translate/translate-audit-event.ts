import { AUDITED_KINDS, DELETING_VERBS, EVICTION } from "../../ports/deployment/audited-requests.ts";
import type { HintTarget, RequestHinted } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import { cutText, MAX_NAME_LENGTH, MAX_NAMESPACE_LENGTH } from "./bounds.ts";
import { countOf, fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isName } from "./metadata.ts";
import { controllerOf } from "./owner-reference.ts";
import { ignored, rejected, type TranslateOptions, type Translated } from "./translated.ts";

/**
 * The order of a request whose response has no resourceVersion: before all others. The order only decides which of two
 * hints comes first.
 */
const FIRST = decodeResourceVersion("1") as ResourceVersion;

/** An audit event (`audit.k8s.io`) of a deletion or eviction: the user, the time, and the API server's response. */
export function translateAuditEvent(event: JsonObject, options: TranslateOptions): Translated {
  if (event["stage"] !== "ResponseComplete") return ignored("The stage of the audit event is not ResponseComplete.");
  const object = fieldsOf(event["objectRef"]);
  const kind = kindOf(object);
  const verb = textOf(event["verb"]) ?? "";
  if (kind === undefined || !isRemoval(verb, object)) return ignored("The request neither deletes nor evicts.");
  const target = targetOf(kind, object, event);
  if (target === undefined) return rejected("objectRef", "The name or namespace of the deleted object is invalid.");
  if (isPodOfOther(event)) return ignored("The Pod belongs to no Job.");
  if (isDryRun(event)) return ignored("The request was a dry run: nothing was deleted.");
  return hintOf(event, { target, verb, ...optional("subresource", textOf(object["subresource"])) }, options);
}

function kindOf({ resource, apiGroup }: JsonObject): HintTarget["kind"] | undefined {
  const plural = textOf(resource) ?? "";
  return AUDITED_KINDS.get(plural) ?? AUDITED_KINDS.get(`${plural}.${textOf(apiGroup) ?? ""}`);
}

type Removal = Pick<RequestHinted, "target" | "verb" | "subresource">;

function hintOf(event: JsonObject, removal: Removal, { epoch }: TranslateOptions): Translated {
  const auditId = textOf(event["auditID"]);
  const requestedAt = parseInstant(event["requestReceivedTimestamp"]);
  if (auditId === undefined) return rejected("auditID", "The audit event has no auditID, which identifies it.");
  if (requestedAt === undefined) return rejected("requestReceivedTimestamp", "Must be an RFC 3339 time.");
  const fact: RequestHinted = {
    epoch,
    resourceVersion: orderOf(event),
    at: Math.max(requestedAt, parseInstant(event["stageTimestamp"]) ?? 0),
    kind: "RequestHinted",
    hintId: `${cutText(auditId)}#ResponseComplete`,
    ...removal,
    user: cutText(textOf(fieldsOf(event["user"])["username"]) ?? ""),
    ...optional("userAgent", textOf(event["userAgent"])),
    code: countOf(fieldsOf(event["responseStatus"])["code"]) ?? 0,
    requestedAt,
  };
  return { outcome: "translated", facts: [fact] };
}

function isRemoval(verb: string, object: JsonObject): boolean {
  const subresource = textOf(object["subresource"]);
  if (verb === "create") return subresource === EVICTION && object["resource"] === "pods";
  return DELETING_VERBS.some((deleting) => deleting === verb) && subresource === undefined;
}

/**
 * Whether the response shows a Pod that another kind of controller owns, such as a ReplicaSet. At level Metadata, and
 * for evictions, there is no Pod to see, so the request is kept.
 */
function isPodOfOther(event: JsonObject): boolean {
  const response = fieldsOf(event["responseObject"]);
  if (response["kind"] !== "Pod") return false;
  const controller = controllerOf(fieldsOf(response["metadata"]));
  return controller !== undefined && controller["kind"] !== "Job";
}

function orderOf(event: JsonObject): ResourceVersion {
  return decodeResourceVersion(fieldsOf(fieldsOf(event["responseObject"])["metadata"])["resourceVersion"]) ?? FIRST;
}

/** `kubectl delete --dry-run=server` sets `dryRun` in the delete options or in the URL. */
function isDryRun(event: JsonObject): boolean {
  const isInOptions = itemsOf(fieldsOf(event["requestObject"])["dryRun"]).length > 0;
  return isInOptions || /[?&]dryRun=/.test(textOf(event["requestURI"]) ?? "");
}

/**
 * `objectRef` has no uid where the request names the object. At level RequestResponse the response has one: in the
 * object, or in the details of a Status. The deletion of a collection names only the namespace.
 */
function targetOf(kind: HintTarget["kind"], object: JsonObject, event: JsonObject): HintTarget | undefined {
  const response = fieldsOf(event["responseObject"]);
  const responseUid = textOf(fieldsOf(response["metadata"])["uid"]) ?? textOf(fieldsOf(response["details"])["uid"]);
  const uid = responseUid ?? textOf(object["uid"]);
  const name = textOf(object["name"]) ?? "";
  const namespace = textOf(object["namespace"]) ?? "";
  if (name !== "" && !isName(name, MAX_NAME_LENGTH)) return undefined;
  if (namespace !== "" && !isName(namespace, MAX_NAMESPACE_LENGTH)) return undefined;
  return { kind, namespace, name, ...(uid !== undefined && { uid: cutText(uid) }) };
}

function optional<Field extends string>(field: Field, text: string | undefined): { readonly [F in Field]?: string } {
  return text === undefined ? {} : ({ [field]: cutText(text) } as { readonly [F in Field]: string });
}
