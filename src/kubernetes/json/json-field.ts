/** A JSON object with unchecked fields. */
export interface JsonObject {
  readonly [field: string]: unknown;
}

const NO_FIELDS: JsonObject = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** The fields of a JSON object; none where `value` is no object. As in the API server, null counts as absent. */
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
 * A non-empty string; the API omits empty strings or writes "". A lone surrogate, which JSON can express and UTF-8
 * cannot, becomes U+FFFD, so that sealing and reading give the same text.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined;
  return value.isWellFormed() ? value : value.toWellFormed();
}

/** A safe integer. */
export function wholeOf(value: unknown): number | undefined {
  // Adding 0 turns -0 into 0, because -0 is written as 0 and must be equal when read.
  return Number.isSafeInteger(value) ? (value as number) + 0 : undefined;
}

/** A whole number of at least 0. */
export function countOf(value: unknown): number | undefined {
  const whole = wholeOf(value);
  return whole !== undefined && whole >= 0 ? whole : undefined;
}
