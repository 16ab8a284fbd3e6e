import type { JobSpecified } from "./fact.ts";
import type { JobObject } from "./job-record.ts";
import type { JobSpec } from "./job-spec.ts";
import { compareOrder } from "./order.ts";

/**
 * What the Job is to do now: the spec of the highest generation that was seen, with the fields that may change as they were at the latest observation.
 * `undefined` while no spec was seen.
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
    (latest, spec) =>
      latest === undefined || (spec.generation - latest.generation || compareOrder(spec, latest)) > 0 ? spec : latest,
    undefined,
  );
}
