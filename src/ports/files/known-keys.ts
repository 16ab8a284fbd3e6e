import * as v from "valibot";
import { nearestNames } from "../../job/text/nearest-names.ts";

/**
 * An object that people or agents write, without other keys. A problem with another key lists those that are valid.
 * `expected` describes what should stand there.
 */
export function knownKeys<const Entries extends v.ObjectEntries>(entries: Entries, expected?: string) {
  const names = Object.keys(entries);
  return v.strictObject(entries, (issue) => {
    if (issue.expected !== "never") return expected ?? issue.message;
    const [nearest] = nearestNames(String(issue.input), names);
    const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    return `Unknown key.${hint} Valid keys: ${names.join(", ")}.`;
  });
}
