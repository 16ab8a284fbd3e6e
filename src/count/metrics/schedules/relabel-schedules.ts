import type { ClusterName } from "../../../job/model/ids.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels } from "../../../ports/metric-store.ts";
import { leaveCounts, summed } from "./end-cron-jobs.ts";
import { type EndedCount, readScheduleParts, type SchedulePart, writeSchedulePart } from "./schedule-part.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import { SumsConflictError } from "../sums/sums-errors.ts";

/** The labels under which a count is kept; `undefined` if they do not change. */
type Change = (labels: Labels) => Labels | undefined;

/**
 * Replaces labels in what CronJobs have counted. CronJobs whose names change leave only their counts: nothing has their
 * uids and names any more.
 */
export async function relabelSchedules(meta: MetaStore, change: Change): Promise<void> {
  for (const cluster of await clusterNames(meta, "everything")) {
    await persist(() => relabelCluster(meta, cluster, change));
  }
}

/** Throws SumsConflictError if another process has changed a part. */
async function relabelCluster(meta: MetaStore, cluster: ClusterName, change: Change): Promise<void> {
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

/** The count function writes a part at most once a minute. */
const MOST_CONFLICTS = 10;

/** Repeats an operation while the count function writes the same records. */
export async function persist(work: () => Promise<void>): Promise<void> {
  for (let conflicts = 0; ; conflicts += 1) {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof SumsConflictError) || conflicts >= MOST_CONFLICTS) throw cause;
    }
  }
}
