import type { Fact } from "../job/model/fact.ts";
import { isList, isRecord, isText, isWhole } from "./check.ts";

/**
 * A fact is split into a *template*, which many facts share, and its own values: instants, uids, names.
 * A template is the fact's JSON with `null` in place of each own value; facts contain no null.
 * The name of the field determines the kind of value.
 */
export type Hole = "instant" | "word" | "text" | "number" | "uid";

/** The kind of value by field name. */
type Holes = ReadonlyMap<string, Hole>;

const HOLES: Holes = new Map<string, Hole>([
  ...named(
    "instant",
    "acceptedAt",
    "completionTime",
    "createdAt",
    "disruptedAt",
    "finishedAt",
    "firstAt",
    "from",
    "lastAt",
    "lastScheduledAt",
    "lastSuccessfulAt",
    "lastTransitionAt",
    "requestedAt",
    "scheduledAt",
    "since",
    "startTime",
    "startedAt",
    "to",
    "unreadySince",
  ),
  // Strings with few different values: written once, then referenced.
  ...named("word", "namespace", "node", "serverVersion", "user", "userAgent"),
  // Strings that seldom repeat.
  ...named("text", "completedIndexes", "failedIndexes", "gapId", "hintId", "name", "succeededIndexes"),
  ...named("number", "count", "index"),
]);
/** The message of a core/v1 Event names its object, so it seldom repeats. Other messages stay in the template. */
const EVENT_HOLES: Holes = new Map<string, Hole>([...HOLES, ...named("text", "message")]);

function named(hole: Hole, ...fields: readonly string[]): readonly (readonly [string, Hole])[] {
  return fields.map((field) => [field, hole]);
}

/** Hashes of images (schema 11): many facts of one kind differ in nothing else. */
const SPEC_HOLES: Holes = new Map<string, Hole>([...HOLES, ...named("word", "image")]);
const END_HOLES: Holes = new Map<string, Hole>([...HOLES, ...named("word", "imageDigest")]);

function holesOf({ kind }: { readonly kind?: unknown }): Holes {
  if (kind === "EventHinted") return EVENT_HOLES;
  if (kind === "JobSpecified") return SPEC_HOLES;
  return kind === "ContainerEnded" ? END_HOLES : HOLES;
}

/**
 * The kind of hole for `value` of field `key`; `undefined` where the value stays in the template.
 * Uids are taken out of every field.
 */
function holeFor(holes: Holes, key: string, value: string | number): Hole | undefined {
  const hole = holes.get(key) ?? "uid";
  return FITS[hole](value) ? hole : undefined;
}

/** Whether a hole of each kind can take a value. */
const FITS: { readonly [Kind in Hole]: (value: string | number) => boolean } = {
  word: isText,
  text: isText,
  instant: isWhole,
  number: isWhole,
  uid: (value) => isText(value) && isStandardUid(value),
};

/** A uid as the API server creates it: a UUID in lower-case hex. */
export function isStandardUid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Fields that are written elsewhere: the stamp and the uids of the group. */
const OUTSIDE: ReadonlySet<string> = new Set(["epoch", "resourceVersion", "at", "jobUid", "podUid"]);

function isInside(key: string): boolean {
  return !OUTSIDE.has(key);
}

export type Fill = (hole: Hole, key: string, value: string | number) => void;

/** The template of a fact as canonical JSON with sorted fields. `take` receives the own values in order. */
export function writeTemplate(fact: Fact, take: Fill): string {
  const fields: Fields = { ...fact };
  return writeFields({ holes: holesOf(fact), take }, fields, sorted(Object.keys(fields).filter(isInside)));
}

interface Writing {
  readonly holes: Holes;
  readonly take: Fill;
}

function writeFields(writing: Writing, fields: Fields, keys: readonly string[]): string {
  let text = "";
  for (const key of keys) {
    const value = fields[key];
    if (value === undefined) continue;
    text += (text === "" ? "" : ",") + quoted(key) + writeValue(writing, key, value);
  }
  return `{${text}}`;
}

/**
 * `"key":`, cached for the names of fields: quoting them takes a quarter of the time of encoding.
 * Labels may have any name, so the cache has a limit.
 */
function quoted(key: string): string {
  const known = QUOTED.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (QUOTED.size < 500) QUOTED.set(key, text);
  return text;
}
const QUOTED = new Map<string, string>();

function writeValue(writing: Writing, key: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number") {
    const hole = holeFor(writing.holes, key, value);
    if (hole === undefined) return JSON.stringify(value);
    writing.take(hole, key, value);
    return "null";
  }
  if (isList(value)) return `[${value.map((item) => writeValue(writing, key, item)).join(",")}]`;
  return isRecord(value) ? writeFields(writing, value, sorted(Object.keys(value))) : JSON.stringify(value);
}

export type Take = (hole: Hole, key: string) => string | number;

/** The inverse of {@link writeTemplate}: `take` supplies the own values in the same order. */
export function fillTemplate(template: Fields, take: Take): Record<string, unknown> {
  return fillFields({ holes: holesOf(template), take }, template);
}

interface Filling {
  readonly holes: Holes;
  readonly take: Take;
}

function fillFields(filling: Filling, fields: Fields): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const key of sorted(Object.keys(fields))) {
    const value = fillValue(filling, key, fields[key]);
    // A label may have this name. An assignment would set the prototype.
    if (key === "__proto__") Object.defineProperty(filled, key, { value, enumerable: true });
    else filled[key] = value;
  }
  return filled;
}

function fillValue(filling: Filling, key: string, value: unknown): unknown {
  if (value === null) return filling.take(filling.holes.get(key) ?? "uid", key);
  if (isList(value)) return value.map((item) => fillValue(filling, key, item));
  return isRecord(value) ? fillFields(filling, value) : value;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Sorts the keys, because an object's own order puts numeric names first. Keys of decoded facts are sorted
 * already.
 */
function sorted(keys: string[]): readonly string[] {
  let before = "";
  for (const key of keys) {
    if (key < before) return keys.sort();
    before = key;
  }
  return keys;
}
