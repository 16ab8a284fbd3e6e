import { compareText } from "./compare-text.ts";

/**
 * One text for one value: object keys sorted, fields that are `undefined` left out, no spaces.
 * Values are what facts are made of: plain objects, arrays, strings, finite numbers, booleans.
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
