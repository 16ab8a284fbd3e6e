import type { FindingContext } from "./finding-search.ts";
import type { PodRecord } from "../model/pod-record.ts";

/**
 * The piece of work a Pod is for: its index, or the one completion of a Job that wants one. `undefined` where the Pods of a Job share
 * the work among themselves, and for an index outside of it.
 */
export function workUnitOf(
  pod: PodRecord,
  { spec, rules }: Pick<FindingContext, "spec" | "rules">,
): number | undefined {
  if (rules.completions === undefined) return spec.completions === 1 ? 0 : undefined;
  const index = pod.created?.index;
  return index !== undefined && index < rules.completions ? index : undefined;
}
