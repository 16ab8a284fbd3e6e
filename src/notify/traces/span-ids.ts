import { createHash } from "node:crypto";

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** The id of the trace of a run. It depends on nothing else, so that each sending has the same id. */
export function traceIdOf(cluster: string, runUid: string): string {
  return digest(["trace", cluster, runUid]).slice(0, TRACE_DIGITS);
}

/** The id of a span. `parts`: a uid, and what distinguishes spans with the same uid. */
export function spanIdOf(cluster: string, kind: string, parts: readonly (string | number)[]): string {
  return digest([kind, cluster, ...parts]).slice(0, SPAN_DIGITS);
}

/** JSON separates the parts, so that no two lists of parts have the same text. */
function digest(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
