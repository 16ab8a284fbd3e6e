import { decodeClusterName } from "../../job/model/ids.ts";
import type { Eraser, StateEraser } from "../../ports/erasing/eraser.ts";
import type { HoldSource } from "../../ports/expiry/holds.ts";
import type { JobKey } from "../../ports/jobs.ts";
import { listRecords } from "../../ports/list-records.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { ProjectionName, Projections } from "../../ports/projections.ts";
import { endedJob } from "../../projection/job-state/ended-job.ts";
import { decodeJobState } from "../../projection/job-state/job-state.ts";
import { otherThan } from "../../projection/projector.ts";
import { readRemovedJobs, type RemovedJobs } from "../retention/removed-jobs.ts";

export interface ExpiredPorts {
  readonly meta: MetaStore;
  readonly projections: Projections;
  /** How to find and remove Jobs. @default deleted Jobs come back, because they expire by themselves */
  readonly stored?: Pick<Eraser, "storedJobs" | "removeJob" | "runs">;
  /** What keeps Jobs beyond their retention. @default nothing */
  readonly holds?: readonly HoldSource[];
}

/**
 * Removes Jobs from a rebuilt projection that retention has deleted. The log is kept longer than Jobs, so it still
 * contains them. A Job that the other projection has was not deleted. Returns the number of removed Jobs.
 */
export async function removeExpired(ports: ExpiredPorts, rebuilt: ProjectionName): Promise<number> {
  if (ports.stored === undefined) return 0;
  const removed = await readRemovedJobs({ meta: ports.meta, holds: ports.holds ?? [] });
  if (removed.isEmpty) return 0;
  let count = 0;
  for await (const key of jobsIn({ meta: ports.meta, stored: ports.stored }, rebuilt)) {
    const stored = await ports.projections.open(rebuilt).read(key);
    const job = stored && endedJob(key.cluster, decodeJobState(key.jobUid, stored.bytes));
    if (job === undefined || !removed.has(job)) continue;
    if ((await ports.projections.open(otherThan(rebuilt)).read(key)) !== undefined) continue;
    await ports.stored.removeJob(rebuilt, key);
    count += 1;
  }
  await removeExpiredRuns({ ...ports, stored: ports.stored.runs }, rebuilt, removed);
  return count;
}

/** A run expires with its last Job. */
async function removeExpiredRuns(
  { meta, projections, stored }: Pick<ExpiredPorts, "meta" | "projections"> & { readonly stored: StateEraser },
  rebuilt: ProjectionName,
  removed: RemovedJobs,
): Promise<void> {
  for await (const key of jobsIn({ meta, stored }, rebuilt)) {
    const row = (await projections.runs(rebuilt).read(key))?.row;
    if (row?.endedAt === undefined || row.phase !== "F") continue;
    const { namespace, name, endedAt } = row;
    if (!removed.has({ cluster: key.cluster, namespace, name, endedAt })) continue;
    if ((await projections.runs(otherThan(rebuilt)).read(key)) === undefined) await stored.removeJob(rebuilt, key);
  }
}

async function* jobsIn(
  { meta, stored }: { readonly meta: MetaStore; readonly stored: Pick<Eraser, "storedJobs"> },
  projection: ProjectionName,
): AsyncGenerator<JobKey> {
  for await (const record of listRecords(meta, "cluster", { prefix: "" })) {
    const cluster = decodeClusterName(record.key);
    if (cluster === undefined) continue;
    for await (const jobUid of stored.storedJobs(projection, cluster)) yield { cluster, jobUid };
  }
}
