import type { ClusterName } from "../../../job/model/ids.ts";
import { ofCluster } from "../../../ports/meta-key.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels } from "../../../ports/metric-store.ts";
import { cronJobRecord } from "../../../ports/records/cron-job-record.ts";
import { listDecoded } from "../../../ports/records/record-codec.ts";
import { leaveCounts, summed } from "./end-cron-jobs.ts";
import { type EndedCount, readScheduleParts, type SchedulePart, writeSchedulePart } from "./schedule-part.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import { SumsConflictError } from "../sums/sums-errors.ts";

/** The labels under which a count is kept; `undefined` if they do not change. */
type Change = (labels: Labels) => Labels | undefined;

/**
/**
 * Replaces labels in what CronJobs have counted. If the labels of a CronJob without a record change, only its
 * counts remain: its uid and name are removed. A CronJob with a record keeps them.
 */
export async function relabelSchedules(meta: MetaStore, change: Change): Promise<void> {
  for (const cluster of await clusterNames(meta, "everything")) {
    await persist(() => relabelCluster(meta, cluster, change));
  }
}

/** Throws SumsConflictError if another process has changed a part. */
async function relabelCluster(meta: MetaStore, cluster: ClusterName, change: Change): Promise<void> {
  const kept = new Set<string>();
  for await (const { value } of listDecoded(meta, cronJobRecord, ofCluster(cluster))) kept.add(value.cronJobUid);
  for (const stored of await readScheduleParts(meta, cluster)) {
    const part = relabelled(stored.part, { kept, change: (labels) => change({ cluster, ...labels }) });
    if (part === stored.part) continue;
    if (!(await writeSchedulePart(meta, { ...stored, part }))) throw new SumsConflictError(stored.key);
  }
}

interface Relabelling {
  /** The uids of CronJobs that are not erased. */
  readonly kept: ReadonlySet<string>;
  readonly change: Change;
}

/** The same object if nothing changes. */
function relabelled(part: SchedulePart, { kept, change }: Relabelling): SchedulePart {
  const isNamed = ({ uid, namespace, name }: SchedulePart["cronJobs"][number]): boolean =>
    !kept.has(uid) && change({ namespace, cronjob: name }) !== undefined;
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
