/** A JSON object whose fields nobody has checked yet. */
export interface JsonObject {
  readonly [field: string]: unknown;
}

const NO_FIELDS: JsonObject = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** The fields of a JSON object; none where `value` is no object. A null is as good as absent, as the API server has it. */
export function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? value : NO_FIELDS;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The items of a JSON array; none where `value` is no array. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

/**
 * A text that is not empty; the API leaves empty texts out or writes "". Half of a surrogate pair, which JSON can write and
 * UTF-8 cannot, becomes U+FFFD here: what is sealed must be what is read back.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.isWellFormed() ? value : value.toWellFormed();
}

/** A whole number that a double holds exactly. */
export function wholeOf(value: unknown): number | undefined {
  // Adding 0 makes 0 of -0, which is written down as 0 and must be read back as what it was.
  return Number.isSafeInteger(value) ? (value as number) + 0 : undefined;
}

/** A whole number of at least 0. */
export function countOf(value: unknown): number | undefined {
  const whole = wholeOf(value);
  return whole !== undefined && whole >= 0 ? whole : undefined;
}
