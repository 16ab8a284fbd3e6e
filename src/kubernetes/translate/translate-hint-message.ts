import type { HintFact } from "../../job/model/fact.ts";
import { fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";
import { parseObject } from "../json/object-scanner.ts";
import { translateAuditEvent } from "./translate-audit-event.ts";
import { translateCoreEvent } from "./translate-core-event.ts";
import { DEFAULT_OPTIONS } from "./translated.ts";

/** What a message of another exporter tells, and of which cluster it says it is. */
export interface HintMessage {
  readonly facts: readonly HintFact[];
  /** `clusterName`, which kubernetes-event-exporter adds where it is configured. */
  readonly clusterName?: string;
}

/**
 * The message that kubernetes-event-exporter's SQS sink sends for each core/v1 Event, as it is, or an audit event. `undefined` where the text is neither;
 * no facts where it is one and says nothing of Jobs.
 */
export function translateHintMessage(text: string): HintMessage | undefined {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  const isAudit = textOf(object["apiVersion"])?.startsWith("audit.k8s.io/") ?? false;
  if (!isAudit && !isCoreEvent(object)) return undefined;
  const translated = isAudit
    ? translateAuditEvent(object, DEFAULT_OPTIONS)
    : translateCoreEvent("ADDED", object, DEFAULT_OPTIONS);
  if (translated.outcome === "rejected") return undefined;
  const facts = translated.outcome === "translated" ? translated.facts.filter(isHint) : [];
  const clusterName = textOf(object["clusterName"]);
  return { facts, ...(clusterName !== undefined && { clusterName }) };
}

function isCoreEvent(object: JsonObject): boolean {
  return isObject(object["involvedObject"]) && textOf(fieldsOf(object["metadata"])["uid"]) !== undefined;
}

function isHint(fact: { readonly kind: string }): fact is HintFact {
  return fact.kind === "EventHinted" || fact.kind === "RequestHinted";
}
