import type { ClusterName } from "../../../job/model/ids.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels } from "../../../ports/metric-store.ts";
import { leaveCounts, summed } from "./end-cron-jobs.ts";
import { type EndedCount, readScheduleParts, type SchedulePart, writeSchedulePart } from "./schedule-part.ts";
import { SumsConflictError } from "../sums/sums-errors.ts";

/** The labels under which a count is kept; `undefined` if they do not change. */
type Change = (labels: Labels) => Labels | undefined;

/**
 * Replaces labels in what the CronJobs of a cluster have counted. CronJobs whose names change leave only their counts:
 * nothing has their uids and names any more. Throws SumsConflictError if another process has changed a part.
 */
export async function relabelSchedules(meta: MetaStore, cluster: ClusterName, change: Change): Promise<void> {
  for (const stored of await readScheduleParts(meta, cluster)) {
    const part = relabelled(stored.part, (labels) => change({ cluster, ...labels }));
    if (part === stored.part) continue;
    if (!(await writeSchedulePart(meta, { ...stored, part }))) throw new SumsConflictError(stored.key);
  }
}

/** The same object if nothing changes. */
function relabelled(part: SchedulePart, change: Change): SchedulePart {
  const isNamed = ({ namespace, name }: SchedulePart["cronJobs"][number]): boolean =>
    change({ namespace, cronjob: name }) !== undefined;
  const left = leaveCounts(part, isNamed);
  const ended = left.ended.map((one) => relabelCount(one, change));
  const isChanged = left !== part || ended.some((one, index) => one !== left.ended[index]);
  return isChanged ? { cronJobs: left.cronJobs, ended: summed(ended) } : part;
}

function relabelCount(counted: EndedCount, change: Change): EndedCount {
  const { namespace, cronJob, kind } = counted;
  const labels = change({
    namespace,
    ...(cronJob !== undefined && { cronjob: cronJob }),
    ...(kind !== undefined && { kind }),
  });
  if (labels === undefined) return counted;
  const { namespace: shown = namespace, cronjob = cronJob } = labels;
  return { ...counted, namespace: shown, ...(cronjob !== undefined && { cronJob: cronjob }) };
}
