import type { ErasedSeriesRuns } from "../../ports/erasing/erasable-views.ts";
import { readJob } from "../job-state/read-job.ts";
import { joinSeriesRuns, readableRuns, seriesRunsOf } from "./series-runs.ts";

const PROJECTIONS = ["A", "B"] as const;
const RETRY = { attempts: 20, pause: async () => undefined };

/** Removes the runs of erased Jobs from the records of their series, and records without another run. */
export async function eraseSeriesRuns(erased: ErasedSeriesRuns): Promise<void> {
  const { cluster, meta, projections, eraser, isErasedJob } = erased;
  for (const projection of PROJECTIONS) {
    for await (const jobUid of eraser.storedJobs(projection, cluster)) {
      if (!isErasedJob(jobUid)) continue;
      const view = await readJob(projections.open(projection), { cluster, jobUid });
      for (const { key, id } of view === undefined ? [] : seriesRunsOf(cluster, view.job)) {
        await joinSeriesRuns(meta, [{ key, id }], RETRY);
        const left = await meta.read("series", key);
        if (left !== undefined && readableRuns(left).length === 0) await eraser.removeRecord("series", key);
      }
    }
  }
}
