import { keysOf, LINEAGE_KEYS } from "../../parents/kinds.ts";
import { kindsOf } from "../../parents/lineage.ts";
import { fieldsOf, type JsonObject } from "../json/json-field.ts";
import { bytesOf, cutText, MAX_MARK_BYTES } from "./bounds.ts";

type Texts = Readonly<Record<string, string>>;

/** The labels and annotations of an object that name what it belongs to. A label has precedence over an annotation. */
export function lineageKeys(metadata: JsonObject): Texts {
  return { ...lineageTexts(metadata["annotations"]), ...lineageTexts(metadata["labels"]) };
}

/**
 * What a Job and its Pod template say about what the Job belongs to, as far as the kept labels lack it; `undefined` for
 * nothing. Sorted by key, as much as fits into {@link MAX_MARK_BYTES} of UTF-8.
 */
export function marksOf(metadata: JsonObject, template: JsonObject, labels: Texts): Texts | undefined {
  const keys = { ...lineageKeys(fieldsOf(template["metadata"])), ...lineageKeys(metadata), ...labels };
  const wanted = new Set(kindsOf(keys).flatMap(keysOf));
  const marks: Record<string, string> = {};
  let bytes = 0;
  for (const key of [...wanted].sort()) {
    const value = keys[key];
    if (value === undefined || labels[key] !== undefined) continue;
    bytes += bytesOf(key) + bytesOf(value);
    if (bytes > MAX_MARK_BYTES) break;
    marks[key] = value;
  }
  return bytes === 0 ? undefined : marks;
}

function lineageTexts(value: unknown): Texts {
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(fieldsOf(value))) {
    if (LINEAGE_KEYS.has(key) && typeof text === "string") texts[key] = cutText(text.toWellFormed());
  }
  return texts;
}
