import type { HintTarget, RequestHinted } from "../../job/model/fact.ts";
import { parseInstant } from "../../job/model/instant.ts";
import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import { cutText, MAX_NAME_LENGTH, MAX_NAMESPACE_LENGTH } from "./bounds.ts";
import { countOf, fieldsOf, itemsOf, type JsonObject, textOf } from "../json/json-field.ts";
import { isName } from "./metadata.ts";
import { ignored, rejected, type TranslateOptions, type Translated } from "./translated.ts";

const KINDS: ReadonlyMap<unknown, HintTarget["kind"]> = new Map([
  ["jobs", "Job"],
  ["pods", "Pod"],
  ["nodes", "Node"],
  ["cronjobs", "CronJob"],
]);

/** The place of a request whose answer names no resourceVersion: before all others. A hint's order decides nothing but which of two hints stands first. */
const FIRST = decodeResourceVersion("1") as ResourceVersion;

/** An audit event (`audit.k8s.io`) of a request that took something away: who asked, when, and what the API server said. */
export function translateAuditEvent(event: JsonObject, options: TranslateOptions): Translated {
  if (event["stage"] !== "ResponseComplete") {
    return ignored("The audit event is of another stage than ResponseComplete.");
  }
  const object = fieldsOf(event["objectRef"]);
  const kind = KINDS.get(object["resource"]);
  const verb = textOf(event["verb"]) ?? "";
  if (kind === undefined || !takesAway(verb, object)) return ignored("The request neither deletes nor evicts.");
  const target = targetOf(kind, object, event);
  if (target === undefined) return rejected("objectRef", "The names of what was deleted cannot be read.");
  if (isDryRun(event)) return ignored("The request was a dry run: nothing was taken away.");
  const auditId = textOf(event["auditID"]);
  const requestedAt = parseInstant(event["requestReceivedTimestamp"]);
  if (auditId === undefined) {
    return rejected("auditID", "The audit event has no auditID, so it cannot be told from others.");
  }
  if (requestedAt === undefined) return rejected("requestReceivedTimestamp", "This is an RFC 3339 time.");
  const fact: RequestHinted = {
    epoch: options.epoch,
    resourceVersion: orderOf(event),
    at: Math.max(requestedAt, parseInstant(event["stageTimestamp"]) ?? 0),
    kind: "RequestHinted",
    hintId: `${cutText(auditId)}#ResponseComplete`,
    target,
    verb,
    ...optional("subresource", textOf(object["subresource"])),
    user: cutText(textOf(fieldsOf(event["user"])["username"]) ?? ""),
    ...optional("userAgent", textOf(event["userAgent"])),
    code: countOf(fieldsOf(event["responseStatus"])["code"]) ?? 0,
    requestedAt,
  };
  return { outcome: "translated", facts: [fact] };
}

function takesAway(verb: string, object: JsonObject): boolean {
  const subresource = textOf(object["subresource"]);
  if (verb === "create") return subresource === "eviction" && object["resource"] === "pods";
  return (verb === "delete" || verb === "deletecollection") && subresource === undefined;
}

function orderOf(event: JsonObject): ResourceVersion {
  return decodeResourceVersion(fieldsOf(fieldsOf(event["responseObject"])["metadata"])["resourceVersion"]) ?? FIRST;
}

/** `kubectl delete --dry-run=server` is a delete with `dryRun`: in the options it sends, or in the URL. */
function isDryRun(event: JsonObject): boolean {
  const asked = itemsOf(fieldsOf(event["requestObject"])["dryRun"]).length > 0;
  return asked || /[?&]dryRun=/.test(textOf(event["requestURI"]) ?? "");
}

/**
 * `objectRef` names no uid when a request comes in by name; the answer does, at level RequestResponse: the object, or a Status
 * with details. A deletion of a whole collection names nothing but the namespace.
 */
function targetOf(kind: HintTarget["kind"], object: JsonObject, event: JsonObject): HintTarget | undefined {
  const response = fieldsOf(event["responseObject"]);
  const answered = textOf(fieldsOf(response["metadata"])["uid"]) ?? textOf(fieldsOf(response["details"])["uid"]);
  const uid = answered ?? textOf(object["uid"]);
  const name = textOf(object["name"]) ?? "";
  const namespace = textOf(object["namespace"]) ?? "";
  if (name !== "" && !isName(name, MAX_NAME_LENGTH)) return undefined;
  if (namespace !== "" && !isName(namespace, MAX_NAMESPACE_LENGTH)) return undefined;
  return { kind, namespace, name, ...(uid !== undefined && { uid: cutText(uid) }) };
}

function optional<Field extends string>(field: Field, text: string | undefined): { readonly [F in Field]?: string } {
  return text === undefined ? {} : ({ [field]: cutText(text) } as { readonly [F in Field]: string });
}
