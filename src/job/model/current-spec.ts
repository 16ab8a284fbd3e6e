import { canonical } from "./canonical.ts";
import { compareText } from "./compare-text.ts";
import type { JobSpecified } from "./fact.ts";
import type { JobObject } from "./job-record.ts";
import type { JobSpec } from "./job-spec.ts";
import { compareOrder } from "./order.ts";

/**
 * The Job's current spec: that of the highest observed generation, with its mutable fields from the latest observation.
 * `undefined` if no spec was observed.
 */
export function currentSpec({ specified, reported }: JobObject): JobSpec | undefined {
  const latest = latestSpecified([...(specified?.values() ?? [])]);
  if (latest === undefined) return undefined;
  if (reported === undefined || compareOrder(reported, latest) < 0) return latest.spec;
  const { completions: _, activeDeadlineSeconds: __, ttlSecondsAfterFinished: ___, ...fixed } = latest.spec;
  return { ...fixed, ...reported.mutable };
}

function latestSpecified(specs: readonly JobSpecified[]): JobSpecified | undefined {
  return specs.reduce<JobSpecified | undefined>(
    (latest, spec) => (latest === undefined || compareSpecified(spec, latest) > 0 ? spec : latest),
    undefined,
  );
}

/** Facts that claim one generation and one resourceVersion are ordered by their text, not by their arrival. */
function compareSpecified(a: JobSpecified, b: JobSpecified): number {
  return a.generation - b.generation || compareOrder(a, b) || compareText(canonical(a), canonical(b));
}
