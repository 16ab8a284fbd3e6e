import { ADDED_KINDS_MARK, markOfKinds } from "../../parents/added-kinds-mark.ts";
import { type AddedKinds, KINDS, keysOf, LINEAGE_KEYS } from "../../parents/kinds.ts";
import { isOwnKey } from "../../parents/own-keys.ts";
import { matching, recognise } from "../../parents/recognised-kind.ts";
import { fieldsOf, type JsonObject } from "../json/json-field.ts";
import { bytesOf, cutText, MAX_ADDED_MARK_BYTES, MAX_MARK_BYTES, MAX_OWN_KEYS } from "./bounds.ts";

type Texts = Readonly<Record<string, string>>;

/** The labels and annotations of an object that name what it belongs to. A label has precedence over an annotation. */
export function lineageKeys(metadata: JsonObject, wanted: ReadonlySet<string> = LINEAGE_KEYS): Texts {
  return textsOf(metadata, (key) => wanted.has(key));
}

/** The labels and annotations that users set for Outlive, the first {@link MAX_OWN_KEYS} by key. */
export function ownKeys(metadata: JsonObject): Texts {
  const own = Object.entries(textsOf(metadata, isOwnKey)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(own.slice(0, MAX_OWN_KEYS));
}

/** What has marks: an object, and the Pod template in it. */
interface Marked {
  readonly metadata: JsonObject;
  readonly template?: JsonObject;
  /** The kept labels. */
  readonly labels: Texts;
}

/**
 * What a Job and its Pod template say about what the Job belongs to, and what its annotations say for Outlive, as far
 * as the kept labels lack it; `undefined` for nothing. As much as fits into {@link MAX_MARK_BYTES} of UTF-8: first what
 * the added kinds say, last what is for Outlive, and each of them sorted by key.
 */
export function marksOf(marked: Marked, added?: AddedKinds): Texts | undefined {
  const { labels } = marked;
  const own = ownKeys(marked.metadata);
  const keys = { ...own, ...keysIn(marked, LINEAGE_KEYS), ...labels };
  const wanted = new Set(matching(KINDS, keys).flatMap(keysOf));
  const marks: Record<string, string> = {};
  const mark = added && markOfKinds(recognise(added.kinds, keysIn(marked, added.keys)), MAX_ADDED_MARK_BYTES);
  if (mark !== undefined) marks[ADDED_KINDS_MARK] = mark;
  let bytes = mark === undefined ? 0 : bytesOf(ADDED_KINDS_MARK) + bytesOf(mark);
  for (const key of [...[...wanted].sort(), ...Object.keys(own)]) {
    const value = keys[key];
    if (value === undefined || labels[key] !== undefined) continue;
    bytes += bytesOf(key) + bytesOf(value);
    if (bytes > MAX_MARK_BYTES) break;
    marks[key] = value;
  }
  return bytes === 0 ? undefined : marks;
}

function keysIn({ metadata, template = {} }: Marked, wanted: ReadonlySet<string>): Texts {
  return { ...lineageKeys(fieldsOf(template["metadata"]), wanted), ...lineageKeys(metadata, wanted) };
}

function textsOf({ annotations, labels }: JsonObject, isWanted: (key: string) => boolean): Texts {
  const texts: Record<string, string> = {};
  for (const [key, text] of [...Object.entries(fieldsOf(annotations)), ...Object.entries(fieldsOf(labels))]) {
    if (isWanted(key) && typeof text === "string") texts[key] = cutText(text.toWellFormed());
  }
  return texts;
}
