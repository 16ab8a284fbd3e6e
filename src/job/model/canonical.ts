import { compareText } from "./compare-text.ts";

/**
 * Canonical JSON: equal values have the same text. Object keys are sorted, `undefined` fields are omitted. A value
 * consists of plain objects, arrays, strings, finite numbers and booleans.
 */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  let fields = "";
  for (const [key, field] of Object.entries(value).sort(byKey)) {
    if (field !== undefined) fields += `${fields === "" ? "" : ","}${JSON.stringify(key)}:${canonical(field)}`;
  }
  return `{${fields}}`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareText(a, b);
}
