import { compareText } from "./compare-text.ts";

/**
 * Canonical JSON: equal values have the same text. Object keys are sorted, `undefined` fields are omitted. A value
 * consists of plain objects, arrays, strings, finite numbers and booleans.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => compareText(a, b));
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
