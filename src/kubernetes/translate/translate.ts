import { WATCHED_STATUSES } from "../../parents/status/statuses.ts";
import { isObject, type JsonObject, textOf } from "../json/json-field.ts";
import { withPlausibleInstants } from "./plausible-instants.ts";
import { translateAuditEvent } from "./translate-audit-event.ts";
import { translateCronJob } from "./translate-cron-job.ts";
import { translateCoreEvent } from "./translate-core-event.ts";
import { translateEviction } from "../evictions/translate-eviction.ts";
import { translateJob } from "./translate-job.ts";
import { translateNamespace } from "./translate-namespace.ts";
import { translateNode } from "./translate-node.ts";
import { translateStatus } from "./translate-status.ts";
import { translatePod } from "./translate-pod.ts";
import {
  type ChangeType,
  DEFAULT_OPTIONS,
  ignored,
  rejected,
  type TranslateOptions,
  type Translated,
} from "./translated.ts";

/**
 * Translates one watch event into facts. Stateless: the same event always gives the same facts, which may repeat those
 * of earlier events of the object. Never throws: an unrelated event is `ignored`, an invalid one `rejected`.
 *
 * `event` is parsed JSON: `{ type, object }` as a watch sends it, or a bare object, which counts as ADDED (an audit
 * event, the body of kubernetes-event-exporter, an item of a list). Items of typed lists have no kind: their source
 * passes `kind`.
 */
export function translate(
  event: unknown,
  { kind, ...options }: Partial<TranslateOptions> & { readonly kind?: string } = {},
): Translated {
  if (!isObject(event)) return rejected("", "A watch event must be a JSON object.");
  const { type, object } = event;
  const full = { ...DEFAULT_OPTIONS, ...options };
  if (!isObject(object)) return translateBare(event, kind, full);
  if (type === "ADDED" || type === "MODIFIED" || type === "DELETED") {
    return translateObject(type, withKind(object, kind), full);
  }
  if (type === "BOOKMARK") return ignored("A bookmark only moves the watch cursor.");
  if (type === "ERROR") return ignored(`The watch ended: ${describeStatus(object)}`);
  return rejected("type", "The type must be ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.");
}

function translateBare(event: JsonObject, kind: string | undefined, options: TranslateOptions): Translated {
  if (kind === undefined && textOf(event["kind"]) === undefined && !isEventExporterBody(event)) {
    return "type" in event
      ? rejected("object", "The watch event has no object.")
      : rejected("kind", "The object has no kind.");
  }
  return translateObject("ADDED", withKind(event, kind), options);
}

/** The object with the kind of the list or watch that it comes from, unless it has one of its own. */
function withKind(object: JsonObject, kind: string | undefined): JsonObject {
  return kind === undefined || textOf(object["kind"]) !== undefined ? object : { ...object, kind };
}

/** kubernetes-event-exporter sends core Events whose kind and apiVersion are empty. */
function isEventExporterBody(object: JsonObject): boolean {
  return isObject(object["involvedObject"]);
}

type TranslateObject = (type: ChangeType, object: JsonObject, options: TranslateOptions) => Translated;

const TRANSLATORS: ReadonlyMap<string, TranslateObject> = new Map<string, TranslateObject>([
  ["Pod", translatePod],
  ["Job", translateJob],
  ["Event", translateEvent],
  ["Node", translateNode],
  ["Namespace", translateNamespace],
  ["CronJob", translateCronJob],
  ["EvictionRequest", translateEviction("EvictionRequest")],
  ["Eviction", translateEviction("Eviction")],
  ...WATCHED_STATUSES.map((of) => [of.kind, translateStatus(of)] as const),
  ["Status", (_, status) => ignored(`The API server responded: ${describeStatus(status)}`)],
]);

function translateObject(type: ChangeType, object: JsonObject, options: TranslateOptions): Translated {
  const kind = textOf(object["kind"]) ?? (isEventExporterBody(object) ? "Event" : undefined);
  if (kind === undefined) return rejected("object.kind", "The object has no kind.");
  const translateKind = TRANSLATORS.get(kind);
  if (translateKind === undefined) return ignored(`Objects of kind ${kind.slice(0, 64)} are unrelated to Jobs.`);
  return withPlausibleInstants(translateKind(type, object, options), options.arrivedAt);
}

function translateEvent(type: ChangeType, event: JsonObject, options: TranslateOptions): Translated {
  const isAudit = textOf(event["apiVersion"])?.startsWith("audit.k8s.io/") ?? false;
  return isAudit ? translateAuditEvent(event, options) : translateCoreEvent(type, event, options);
}

/** A `Status` object in words: `too old resource version: 1 (4931) (Expired, 410)`. */
function describeStatus(status: JsonObject): string {
  const message = textOf(status["message"]) ?? "no message";
  const details = [textOf(status["reason"]), status["code"]].filter(
    (detail) => typeof detail === "string" || typeof detail === "number",
  );
  return details.length === 0 ? message.slice(0, 256) : `${message.slice(0, 256)} (${details.join(", ")})`;
}
