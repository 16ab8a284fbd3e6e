import type { EventHinted, HintTarget } from "../../job/model/fact.ts";
import { type Instant, parseInstant } from "../../job/model/instant.ts";
import { cutText, MAX_NAME_LENGTH, MAX_NAMESPACE_LENGTH } from "./bounds.ts";
import { countOf, fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";
import { isLabel } from "../message/message-grammar.ts";
import { type KeptMessage, keptMessage } from "../message/kept-message.ts";
import { isName, isProblems, latestOfMetadata, type Metadata, readMetadata } from "./metadata.ts";
import { type ChangeType, ignored, type TranslateOptions, type Translated } from "./translated.ts";
import { reasonOf } from "../message/reason.ts";

const HINTED_KINDS: readonly string[] = ["Job", "Pod", "Node", "CronJob"];

/**
 * An Event of core/v1 or events.k8s.io (the same object with other field names), or the JSON body of
 * kubernetes-event-exporter (the Event with additional fields).
 */
export function translateCoreEvent(type: ChangeType, event: JsonObject, options: TranslateOptions): Translated {
  if (type === "DELETED") return ignored("Events are deleted after an hour, which means nothing for Jobs.");
  const object = isObject(event["involvedObject"]) ? event["involvedObject"] : fieldsOf(event["regarding"]);
  const metadata = readMetadata(event, "namespaced");
  if (isProblems(metadata)) return { outcome: "rejected", problems: metadata };
  const target = targetOf(object, metadata);
  if (target === undefined) return ignored("The Event is not about a Job, a Pod, a Node or a CronJob.");
  const times = timesOf(event, metadata);
  const source = sourceOf(event);
  const eventType = textOf(event["type"]);
  const reason = reasonOf(event["reason"]) ?? "";
  const fact: EventHinted = {
    epoch: options.epoch,
    resourceVersion: metadata.resourceVersion,
    at: Math.max(latestOfMetadata(metadata), times.lastAt),
    kind: "EventHinted",
    hintId: metadata.uid,
    target,
    reason: cutText(reason),
    ...keptEventMessage(event, object, options),
    ...(source !== undefined && { source: cutText(source) }),
    ...(eventType !== undefined && { type: cutText(eventType) }),
    count: countIn(event),
    ...times,
  };
  return { outcome: "translated", facts: [fact] };
}

/** A probe's Event does not name its container in the message; `fieldPath` does: `spec.containers{work}`. */
function keptEventMessage(event: JsonObject, object: JsonObject, options: TranslateOptions): KeptMessage {
  const message = textOf(event["message"]) ?? textOf(event["note"]);
  const reason = reasonOf(event["reason"]) ?? "";
  const kept = keptMessage({ reason, message, details: event["details"] }, options);
  if (kept.details?.about !== "probe" || kept.details.container !== undefined) return kept;
  const container = containerIn(object["fieldPath"]);
  return container === undefined ? kept : { ...kept, details: { ...kept.details, container } };
}

function containerIn(fieldPath: unknown): string | undefined {
  const name = /^spec\.(?:initContainers|containers)\{([^}]{1,63})\}$/.exec(textOf(fieldPath) ?? "")?.[1];
  return name !== undefined && isLabel(name) ? name : undefined;
}

function targetOf(object: JsonObject, metadata: Metadata): HintTarget | undefined {
  const kind = kindOf(object["kind"]);
  const { name } = object;
  if (kind === undefined || !isName(name, MAX_NAME_LENGTH)) return undefined;
  const uid = textOf(object["uid"]);
  const namespace = kind === "Node" ? "" : (textOf(object["namespace"]) ?? metadata.namespace);
  if (namespace !== "" && !isName(namespace, MAX_NAMESPACE_LENGTH)) return undefined;
  return { kind, namespace, name, ...(uid !== undefined && { uid: cutText(uid) }) };
}

function kindOf(kind: unknown): HintTarget["kind"] | undefined {
  return typeof kind === "string" && HINTED_KINDS.includes(kind) ? kind : undefined;
}

function countIn(event: JsonObject): number {
  return (
    countOf(event["count"]) ?? countOf(event["deprecatedCount"]) ?? countOf(fieldsOf(event["series"])["count"]) ?? 1
  );
}

function sourceOf(event: JsonObject): string | undefined {
  const source = textOf(fieldsOf(event["source"])["component"]);
  return source ?? textOf(event["reportingComponent"]) ?? textOf(event["reportingController"]);
}

function timesOf(event: JsonObject, metadata: Metadata): { readonly firstAt: Instant; readonly lastAt: Instant } {
  const eventAt = parseInstant(event["eventTime"]);
  const first = parseInstant(event["firstTimestamp"]) ?? parseInstant(event["deprecatedFirstTimestamp"]);
  const last = parseInstant(event["lastTimestamp"]) ?? parseInstant(event["deprecatedLastTimestamp"]);
  const repeated = parseInstant(fieldsOf(event["series"])["lastObservedTime"]);
  const firstAt = first ?? eventAt ?? metadata.createdAt ?? last ?? 0;
  return { firstAt, lastAt: Math.max(firstAt, last ?? 0, repeated ?? 0, eventAt ?? 0) };
}
