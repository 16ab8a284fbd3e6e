import type { ClusterName } from "../../job/model/ids.ts";
import type { EndedJob } from "../../ports/expiry/job-expiry.ts";
import { deriveRow } from "./derive-row.ts";
import type { JobState } from "./job-state.ts";

/**
 * The name and the end of an ended Job, from which retention follows; `undefined` while it is live or its name is
 * unknown.
 */
export function endedJob(cluster: ClusterName, state: JobState): EndedJob | undefined {
  const derived = deriveRow(cluster, state);
  if (derived?.isOver !== true) return undefined;
  const { namespace, name } = derived.row;
  return { cluster, namespace, name, endedAt: derived.endedAt };
}
