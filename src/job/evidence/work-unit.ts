import type { CountingRules } from "../accounting/counting-rules.ts";
import type { JobSpec } from "../model/job-spec.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * The work unit of a Pod: its index, or 0 in a Job with one completion. `undefined` if the Pods of the Job share the
 * work, and for an index that the Job does not have.
 */
export function workUnitOf(
  pod: PodRecord,
  { spec, rules }: { readonly spec: JobSpec; readonly rules: CountingRules },
): number | undefined {
  if (rules.completions === undefined) return spec.completions === 1 ? 0 : undefined;
  const index = pod.created?.index;
  return index !== undefined && index < rules.completions ? index : undefined;
}
