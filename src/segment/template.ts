/**
 * A fact is a *template*, which many facts share, and what is its own: instants, uids, names. The template is the fact's JSON with `null` where
 * something was taken out; facts themselves hold no null. What a `null` stands for follows from the name of its field.
 */
export type Hole = "instant" | "word" | "text" | "number" | "uid";

/** Fields whose numbers are instants. */
const INSTANTS = new Set([
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
  "completionTime",
  "startedAt",
  "to",
  "unreadySince",
]);
/** Fields whose texts are many, and each of them many facts': written once and then referred to. */
const WORDS = new Set(["namespace", "node", "serverVersion", "userAgent", "user"]);
/** Fields whose texts are hardly ever the same twice. */
const TEXTS = new Set(["name", "hintId", "gapId", "completedIndexes", "failedIndexes", "succeededIndexes"]);
/** Fields whose numbers differ from fact to fact. */
const NUMBERS = new Set(["index", "count"]);

/** What is taken out of the facts of one kind. */
interface Rules {
  readonly texts: ReadonlySet<string>;
}
const RULES: Rules = { texts: TEXTS };
const EVENT_RULES: Rules = { texts: new Set([...TEXTS, "message"]) };

function rulesFor(fact: object): Rules {
  return "kind" in fact && fact.kind === "EventHinted" ? EVENT_RULES : RULES;
}

/** The hole that field `key` leaves where its value is of the right type: the inverse of {@link holeFor}. */
function holeAt({ texts }: Rules, key: string): Hole {
  if (WORDS.has(key)) return "word";
  if (texts.has(key)) return "text";
  if (INSTANTS.has(key)) return "instant";
  return NUMBERS.has(key) ? "number" : "uid";
}

/** The hole that `key: value` leaves in a template; `undefined` where the value stays. */
function holeFor(rules: Rules, key: string, value: unknown): Hole | undefined {
  const hole = holeAt(rules, key);
  switch (hole) {
    case "word":
    case "text":
      return typeof value === "string" ? hole : undefined;
    case "instant":
    case "number":
      return Number.isSafeInteger(value) ? hole : undefined;
    case "uid":
      return typeof value === "string" && isStandardUid(value) ? hole : undefined;
  }
}

/** A uid as the API server makes them: a UUID in lower-case hex, 16 bytes of chance. */
export function isStandardUid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type Fill = (hole: Hole, key: string, value: string | number) => void;

/** Fields of a fact that are written elsewhere: its stamp, and the group it stands in. */
const OUTSIDE = new Set(["epoch", "resourceVersion", "at", "jobUid", "podUid"]);

/** The template of a fact as canonical JSON, its fields sorted; what was taken out goes to `take` in the order of the holes. */
export function writeTemplate(fact: object, take: Fill): string {
  const own = Object.entries(fact).filter(([key]) => !OUTSIDE.has(key));
  return writeFields(rulesFor(fact), own, take);
}

function writeFields(rules: Rules, entries: readonly (readonly [string, unknown])[], take: Fill): string {
  const fields = entries.filter(([, value]) => value !== undefined).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${writeValue(rules, key, value, take)}`).join(",")}}`;
}

function writeValue(rules: Rules, key: string, value: unknown, take: Fill): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeValue(rules, key, item, take)).join(",")}]`;
  if (typeof value === "object" && value !== null) return writeFields(rules, Object.entries(value), take);
  const hole = holeFor(rules, key, value);
  if (hole === undefined || (typeof value !== "string" && typeof value !== "number")) return JSON.stringify(value);
  take(hole, key, value);
  return "null";
}

export type Take = (hole: Hole, key: string) => string | number;
/** Makes one value, its holes filled from what `take` gives. */
type Filler = (take: Take) => unknown;

/**
 * The inverse of {@link writeTemplate}: makes the fields of a fact out of a template, its holes filled in the order they were taken in.
 * What has no hole is made once and shared by all facts of the template.
 */
export function compileTemplate(template: Readonly<Record<string, unknown>>): (take: Take) => Record<string, unknown> {
  const fields = compileFields(rulesFor(template), template);
  return (take) => Object.fromEntries(fields.map(([key, fill]) => [key, fill(take)]));
}

/** Sorted as they were written: an object's own order puts keys that look like numbers first. */
function compileFields(rules: Rules, template: object): readonly (readonly [string, Filler])[] {
  return Object.entries(template)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, compileValue(rules, key, value)] as const);
}

function compileValue(rules: Rules, key: string, value: unknown): Filler {
  if (value === null) {
    const hole = holeAt(rules, key);
    return (take) => take(hole, key);
  }
  if (!hasHole(value)) return () => value;
  if (Array.isArray(value)) {
    const fillers = value.map((item) => compileValue(rules, key, item));
    return (take) => fillers.map((fill) => fill(take));
  }
  const fields = compileFields(rules, value);
  return (take) => Object.fromEntries(fields.map(([name, fill]) => [name, fill(take)]));
}

function hasHole(value: unknown): value is object {
  return typeof value === "object" && (value === null || Object.values(value).some(hasHole));
}
