import type { Owner } from "../../job/model/fact.ts";
import { isSeries } from "../kinds.ts";
import { type JobIdentity, lineageOf } from "../lineage.ts";

/**
 * The uid under which the run of a Job is stored: that of the nearest object that it belongs to. Objects above that one
 * may be observed late, or never. `undefined` if it is a run of its own, or if only names say what it belongs to.
 */
export function runUidOf(job: JobIdentity & { readonly owner?: Owner }): string | undefined {
  const owner = lineageOf(job).owners.find(({ kind, uid }) => uid !== undefined && !isSeries(kind));
  return owner?.uid;
}
