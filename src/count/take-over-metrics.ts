import pLimit from "p-limit";
import type { ClusterName } from "../job/model/ids.ts";
import { EARLIEST, type Instant } from "../job/model/instant.ts";
import { AmountSums } from "./metrics/sums/amount-sums.ts";
import { continueMetrics } from "./metrics/sums/continue-metrics.ts";
import { contributionOf, idOf, type StoredSubject } from "./metrics/sums/stored-contribution.ts";
import type { EncodedJobState } from "../ports/job-row.ts";
import type { JobStore, RunStore } from "../ports/jobs.ts";
import { countPositionKey } from "../ports/meta-key.ts";
import type { Amount } from "../ports/metric-store.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { readRecord } from "../ports/records/record-codec.ts";
import type { CountedProjection } from "./apply-differences.ts";
import type { ContributingJob } from "./count-batch.ts";
import { countPosition } from "./count-records.ts";

/** The projection that answered until now. Its writes are counted. */
export interface EarlierProjection {
  readonly earlier: ProjectionName;
  readonly earlierJobs: Pick<JobStore, "read">;
  readonly earlierRuns: Pick<RunStore, "read">;
  /** When the other projection began to answer. @default before all of its uncounted writes */
  readonly switchedAt?: Instant | undefined;
}

type TakeOver = CountedProjection & EarlierProjection & { readonly now: Instant };

export interface ContributingJobs {
  /** What Jobs and runs contribute after the last counted writes, in order. */
  readonly jobs: readonly ContributingJob[];
}

/** A function that read the pointer before the switch may write to the earlier projection for this long after it. */
const IN_FLIGHT_MS = 60_000;
/** Jobs are kept for a day at least. A Job older than this that the earlier projection lacks has expired there. */
const EXPIRED_MS = 12 * 3_600_000;
const AT_ONCE = 16;

/** Whether the projection that answers has what was written to the earlier one until the switch. */
export function mayTakeOver({ switchedAt = EARLIEST }: EarlierProjection, now: Instant): boolean {
  return now >= switchedAt + IN_FLIGHT_MS;
}

/**
 * Lets the metrics of a projection continue from those of the earlier one. At the switch, projectors stop writing to
 * the earlier one, or write to both at slightly different times. Therefore Jobs that changed around the switch count as
 * `projection` has them, and all others as the earlier one has them.
 */
export async function takeOverMetrics(
  { meta, projection, earlier, earlierJobs, earlierRuns, switchedAt, now }: TakeOver,
  { jobs }: ContributingJobs,
): Promise<void> {
  const from = switchedAt === undefined ? EARLIEST : switchedAt - IN_FLIGHT_MS;
  const written = jobs.filter(({ at }) => at >= from);
  const changed = new Map(written.map((job) => [idOf(job), job]));
  const position = await readRecord(meta, countPosition, countPositionKey(earlier));
  const earlierSince = position?.value.metricsSince ?? EARLIEST;
  const ahead = new Map<ClusterName, AmountSums>();
  await pLimit(AT_ONCE).map(changed.values(), async ({ key, isRun, createdAt = now, amounts }) => {
    const before = await (isRun === true ? earlierRuns : earlierJobs).read(key);
    // A replay brings back expired Jobs. They are counted already.
    if (before === undefined && createdAt < (switchedAt ?? now) - EXPIRED_MS) return;
    const sums = ahead.get(key.cluster) ?? new AmountSums();
    ahead.set(key.cluster, sums);
    for (const amount of amounts) sums.add(amount);
    for (const amount of amountsOf({ key, isRun }, before, earlierSince)) sums.add(amount, -1);
  });
  await continueMetrics({ meta, from: earlier, to: projection, ahead });
}

function amountsOf(of: StoredSubject, stored: EncodedJobState | undefined, since: Instant): readonly Amount[] {
  const isCounted = stored?.row !== undefined && stored.row.createdAt >= since;
  return (isCounted ? contributionOf(of, stored)?.amounts : undefined) ?? [];
}
