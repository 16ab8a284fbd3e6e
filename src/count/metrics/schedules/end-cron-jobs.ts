import type { Instant } from "../../../job/model/instant.ts";
import type { KnownCronJob } from "../../../query/cron-jobs/cron-jobs.ts";
import type { CountedCronJob } from "./counted-cron-job.ts";
import type { EndedCount, SchedulePart } from "./schedule-part.ts";
import { shownLabels } from "./schedule-series.ts";

/** How long after its deletion no further late fact of a CronJob is expected. */
const ENDED_MS = 24 * 3_600_000;

/**
 * Keeps only the counts of CronJobs that were deleted more than a day ago, because counters do not fall. Returns the
 * same object if there are none.
 */
export function endCronJobs(part: SchedulePart, known: readonly KnownCronJob[], heardAt: Instant): SchedulePart {
  const kept = new Set(
    known
      .filter(({ record: { deleted } }) => deleted === undefined || heardAt - deleted.at < ENDED_MS)
      .map(({ answer }) => answer.uid),
  );
  return leaveCounts(part, ({ uid }) => !kept.has(uid));
}

/** Keeps only the counts of some CronJobs. Returns the same object if there are none. */
export function leaveCounts(part: SchedulePart, isGone: (cronJob: CountedCronJob) => boolean): SchedulePart {
  const gone = part.cronJobs.filter(isGone);
  if (gone.length === 0) return part;
  return {
    cronJobs: part.cronJobs.filter((cronJob) => !isGone(cronJob)),
    ended: summed([...part.ended, ...gone.flatMap(countsOf)]),
  };
}

function countsOf(cronJob: CountedCronJob): readonly EndedCount[] {
  const { namespace, cronJob: name } = shownLabels(cronJob);
  const missed = cronJob.shown > 0 ? [{ namespace, cronJob: name, count: cronJob.shown }] : [];
  return [...missed, ...cronJob.kinds.map((kind) => ({ namespace, kind, count: 1 }))];
}

/** One count for each combination of labels. */
export function summed(counts: readonly EndedCount[]): readonly EndedCount[] {
  const sums = new Map<string, EndedCount>();
  for (const one of counts) {
    const id = JSON.stringify([one.namespace, one.cronJob, one.kind]);
    sums.set(id, { ...one, count: (sums.get(id)?.count ?? 0) + one.count });
  }
  return [...sums.values()];
}
