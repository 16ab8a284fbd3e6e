import { decodeResourceVersion, type ResourceVersion } from "../../job/model/order.ts";
import { countOf, fieldsOf, isObject, type JsonObject, textOf } from "../json/json-field.ts";
import type { LinePiece } from "../json/line-splitter.ts";
import { MAX_OBJECT_BYTES } from "../json/max-object-bytes.ts";
import { parseObject } from "../json/object-scanner.ts";
import type { ChangeType } from "../translate/translated.ts";

/** One line of a watch. */
export type WatchEvent =
  | {
      readonly kind: "change";
      readonly type: ChangeType;
      readonly object: JsonObject;
      /** `undefined` where the object has no valid one. */
      readonly resourceVersion: ResourceVersion | undefined;
    }
  /** `endsList`: all objects of a streaming list have arrived. */
  | { readonly kind: "bookmark"; readonly resourceVersion: ResourceVersion | undefined; readonly endsList: boolean }
  /** The watch has ended. `code` is the code of the Status: 410 if the server no longer has the later changes. */
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** An object that is too large to read, described by its beginning. */
  | { readonly kind: "oversized"; readonly object: string; readonly resourceVersion: ResourceVersion | undefined }
  /** Invalid data, for example from a proxy. */
  | { readonly kind: "garbled"; readonly text: string };

/** A watch brings nothing readable after it. */
export type WatchEnd = Extract<WatchEvent, { readonly kind: "error" | "garbled" }>;

export function endsWatch(event: WatchEvent): event is WatchEnd {
  return event.kind === "error" || event.kind === "garbled";
}

/** `undefined` for an empty line, and for further pieces of a line that was too large. */
export function decodeWatchEvent({ bytes, isFirst, isLast }: LinePiece): WatchEvent | undefined {
  if (!isFirst || (isLast && bytes.length === 0)) return undefined;
  if (!isLast) return oversized(bytes.toString("utf8", 0, HEAD_BYTES));
  const text = bytes.toString("utf8");
  const line = parseObject(text);
  const object = line?.["object"];
  if (line === undefined || !isObject(object)) return { kind: "garbled", text: text.slice(0, 80) };
  return eventOf(line["type"], object) ?? { kind: "garbled", text: text.slice(0, 80) };
}

function eventOf(type: unknown, object: JsonObject): WatchEvent | undefined {
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { kind: "change", type, object, resourceVersion: versionOf(object) };
    case "BOOKMARK":
      return { kind: "bookmark", resourceVersion: versionOf(object), endsList: endsInitialEvents(object) };
    case "ERROR":
      return { kind: "error", code: countOf(object["code"]) ?? 0, message: textOf(object["message"]) ?? "no message" };
  }
  return undefined;
}

function versionOf(object: JsonObject): ResourceVersion | undefined {
  return decodeResourceVersion(fieldsOf(object["metadata"])["resourceVersion"]);
}

function endsInitialEvents(object: JsonObject): boolean {
  return fieldsOf(fieldsOf(object["metadata"])["annotations"])["k8s.io/initial-events-end"] === "true";
}

/** Go writes the fields of `metadata` in a fixed order: name, namespace, uid and resourceVersion come first. */
const HEAD_BYTES = 4096;

function oversized(head: string): WatchEvent {
  const field = (name: string): string | undefined => new RegExp(`"${name}":"([^"\\\\]*)"`).exec(head)?.[1];
  const place = [field("namespace"), field("name")].filter((part) => part !== undefined).join("/");
  return {
    kind: "oversized",
    object: `${field("kind") ?? "An object"} ${place} of more than ${MAX_OBJECT_BYTES} bytes`,
    resourceVersion: decodeResourceVersion(field("resourceVersion")),
  };
}
