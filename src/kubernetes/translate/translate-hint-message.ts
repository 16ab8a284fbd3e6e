import type { HintFact } from "../../job/model/fact.ts";
import { fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";
import { parseObject } from "../json/object-scanner.ts";
import { DEFAULT_EVENT_REASONS, explainsSomething } from "./explaining-events.ts";
import { withPlausibleInstants } from "./plausible-instants.ts";
import { translateAuditEvent } from "./translate-audit-event.ts";
import { translateCoreEvent } from "./translate-core-event.ts";
import { DEFAULT_OPTIONS } from "./translated.ts";

/** The hints of a message from another exporter, and the cluster that it names. */
export interface HintMessage {
  readonly facts: readonly HintFact[];
  /** `clusterName`, which kubernetes-event-exporter adds if it is configured. */
  readonly clusterName?: string;
}

/**
 * Translates a message of kubernetes-event-exporter's SQS sink (one core/v1 Event), or an audit event. `undefined`
 * where the text is neither. No facts where it is unrelated to Jobs, or an Event that explains nothing.
 */
export function translateHintMessage(text: string): HintMessage | undefined {
  const object = parseObject(text);
  if (object === undefined) return undefined;
  const isAudit = textOf(object["apiVersion"])?.startsWith("audit.k8s.io/") ?? false;
  if (!isAudit && !isCoreEvent(object)) return undefined;
  const clusterName = textOf(object["clusterName"]);
  const named = clusterName === undefined ? {} : { clusterName };
  if (!isAudit && !explainsSomething(object, DEFAULT_EVENT_REASONS)) return { facts: [], ...named };
  const facts = factsOf(object, isAudit);
  return facts && { facts, ...named };
}

/** `undefined` where the object is invalid. */
function factsOf(object: JsonObject, isAudit: boolean): readonly HintFact[] | undefined {
  const hint = isAudit
    ? translateAuditEvent(object, DEFAULT_OPTIONS)
    : translateCoreEvent("ADDED", object, DEFAULT_OPTIONS);
  // The latest instant names the segment, and ingest accepts none from the future.
  const translated = withPlausibleInstants(hint, undefined);
  if (translated.outcome === "rejected") return undefined;
  return translated.outcome === "translated" ? translated.facts.filter(isHint) : [];
}

function isCoreEvent(object: JsonObject): boolean {
  return isObject(object["involvedObject"]) && textOf(fieldsOf(object["metadata"])["uid"]) !== undefined;
}

function isHint(fact: { readonly kind: string }): fact is HintFact {
  return fact.kind === "EventHinted" || fact.kind === "RequestHinted";
}
