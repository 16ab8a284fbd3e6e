import { bytesOf, MAX_LABEL_BYTES } from "./bounds.ts";
import { fieldsOf } from "../json/json-field.ts";

/** The labels of an object, sorted by key, as many as fit into {@link MAX_LABEL_BYTES} of UTF-8. */
export function keptLabels(value: unknown): { labels: Readonly<Record<string, string>>; truncated?: true } {
  const labels: Record<string, string> = {};
  let bytes = 0;
  for (const [rawKey, rawLabel] of Object.entries(fieldsOf(value)).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = rawKey.toWellFormed();
    if (typeof rawLabel !== "string" || key === "__proto__") continue;
    const label = rawLabel.toWellFormed();
    bytes += bytesOf(key) + bytesOf(label);
    if (bytes > MAX_LABEL_BYTES) return { labels, truncated: true };
    labels[key] = label;
  }
  return { labels };
}
