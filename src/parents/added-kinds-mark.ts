import type { RecognisedKind } from "./recognised-kind.ts";

/**
 * The mark with what the kinds that users have added say about a Job, as JSON. So readers of facts need no file of
 * kinds. No label or annotation has this key: Kubernetes allows no colon in it.
 */
export const ADDED_KINDS_MARK = "outlive:kinds";

/** The value of the mark: as many of the kinds as fit, without ids that do not. `undefined` for nothing. */
export function markOfKinds(kinds: readonly RecognisedKind[], maxBytes: number): string | undefined {
  const kept: RecognisedKind[] = [];
  for (const kind of kinds) {
    const fitting = fittingKind(kind, (one) => Buffer.byteLength(JSON.stringify([...kept, one])) <= maxBytes);
    if (fitting !== undefined) kept.push(fitting);
  }
  return kept.length === 0 ? undefined : JSON.stringify(kept);
}

/** The kind with as many of its ids as fit; `undefined` if it does not fit without them. */
function fittingKind(
  { ids = {}, ...kind }: RecognisedKind,
  fits: (kind: RecognisedKind) => boolean,
): RecognisedKind | undefined {
  for (let entries = Object.entries(ids); entries.length > 0; entries = entries.slice(0, -1)) {
    const whole = { ...kind, ids: Object.fromEntries(entries) };
    if (fits(whole)) return whole;
  }
  return fits(kind) ? kind : undefined;
}

/** The kinds in the value of the mark. What this build cannot read is left out. */
export function kindsInMark(mark: string | undefined): readonly RecognisedKind[] {
  if (mark === undefined) return [];
  const kinds = parsed(mark);
  return Array.isArray(kinds) ? kinds.filter(isRecognisedKind) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

const FIELDS: { readonly [Field in keyof RecognisedKind]-?: (value: unknown) => boolean } = {
  kind: isText,
  resource: isText,
  role: (value) => value === "series",
  controls: isTrue,
  alone: isTrue,
  name: isText,
  uid: isText,
  part: isText,
  attempt: Number.isSafeInteger,
  ids: (value) => isRecord(value) && Object.values(value).every(isText),
  work: isText,
  within: isText,
  series: (value) => isRecord(value) && isText(value["kind"]) && ["undefined", "string"].includes(typeof value["name"]),
};

/** A newer build may have written more fields. */
function isRecognisedKind(value: unknown): value is RecognisedKind {
  if (!isRecord(value) || !isText(value["kind"])) return false;
  return Object.entries(FIELDS).every(([field, isValid]) => value[field] === undefined || isValid(value[field]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTrue(value: unknown): boolean {
  return value === true;
}
