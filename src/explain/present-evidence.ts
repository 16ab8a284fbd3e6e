import type { Evidence } from "../job/model/evidence.ts";
import { formatInstant } from "../job/model/instant.ts";
import type { FactRef } from "./answer-document.ts";

/** Evidence as the answer document has it. `describe` gives a clause whose subject is the object. */
export function presentEvidence<Shows>(evidence: Evidence<Shows>, describe: (shows: Shows) => string): FactRef {
  const { fact, at, resourceVersion, object, shows } = evidence;
  return {
    kind: fact,
    time: formatInstant(at),
    resourceVersion: String(resourceVersion),
    object: `${object.kind}/${object.name}`,
    detail: describe(shows),
  };
}

/** Several pieces of evidence. */
export function presentAll<Shows>(
  evidence: readonly Evidence<Shows>[],
  describe: (shows: Shows) => string,
): readonly FactRef[] {
  return evidence.map((one) => presentEvidence(one, describe));
}

/** Identifies a fact within its cluster: `PodTerminated/1042/pod/report-x2x9s`. */
export function factId({ kind, resourceVersion, object = "" }: Omit<FactRef, "time" | "detail">): string {
  return `${kind}/${resourceVersion}/${object}`;
}
