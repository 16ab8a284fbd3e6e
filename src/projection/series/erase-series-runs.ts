import type { JobUid } from "../../job/model/ids.ts";
import { MAX_PAST_RUNS } from "../../parents/series/past-run.ts";
import type { ErasedSeriesRuns } from "../../ports/erasing/erasable-views.ts";
import { readJob } from "../job-state/read-job.ts";
import { joinSeriesRuns, readableRuns, type SeriesRun, seriesRunsOf } from "./series-runs.ts";

const PROJECTIONS = ["A", "B"] as const;
const RETRY = { attempts: 20, pause: async () => undefined };

/**
 * Removes the runs of erased Jobs from the records of their series, and records without another run. A record that was
 * full gets an older run of another Job instead.
 */
export async function eraseSeriesRuns(erased: ErasedSeriesRuns): Promise<void> {
  const { meta, eraser, isErasedJob } = erased;
  const full = new Set<string>();
  for await (const { key, id } of runsOf(erased, isErasedJob)) {
    const before = readableRuns(await meta.read("series", key));
    if (before.length === MAX_PAST_RUNS) full.add(key);
    await joinSeriesRuns(meta, [{ key, id }], RETRY);
    const left = await meta.read("series", key);
    if (left !== undefined && readableRuns(left).length === 0) await eraser.removeRecord("series", key);
  }
  if (full.size === 0) return;
  for await (const run of runsOf(erased, (jobUid) => !isErasedJob(jobUid))) {
    if (full.has(run.key)) await joinSeriesRuns(meta, [run], RETRY);
  }
}

async function* runsOf(
  { cluster, projections, eraser }: ErasedSeriesRuns,
  isWanted: (jobUid: JobUid) => boolean,
): AsyncGenerator<SeriesRun> {
  for (const projection of PROJECTIONS) {
    for await (const jobUid of eraser.storedJobs(projection, cluster)) {
      if (!isWanted(jobUid)) continue;
      const view = await readJob(projections.open(projection), { cluster, jobUid });
      if (view !== undefined) yield* seriesRunsOf(cluster, view.job);
    }
  }
}
