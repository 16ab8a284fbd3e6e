import type { ClusterName } from "../job/model/ids.ts";
import type { ErasableViews, ListedState, ListedStores } from "../ports/erasing/erasable-views.ts";
import { eraseChanges } from "./changes/erase-changes.ts";
import { eraseRuns } from "./run-state/erase-runs.ts";
import { unpackSummary } from "./job-state/summary-bytes.ts";
import { eraseSeriesRuns } from "./series/erase-series-runs.ts";
import { readLivePointer } from "./live-projection.ts";

/** The views of the projection, as an erasure sees them. */
export const erasableViews: ErasableViews = { listedStates, eraseChanges, eraseRuns, eraseSeriesRuns };

async function* listedStates(
  { projections, meta, eraser }: ListedStores,
  cluster: ClusterName,
): AsyncGenerator<ListedState> {
  const { live } = await readLivePointer(meta);
  const jobs = projections.open(live);
  for await (const jobUid of eraser.storedJobs(live, cluster)) {
    const row = (await jobs.read({ cluster, jobUid }))?.row;
    yield { jobUid, state: row === undefined ? "Unknown" : unpackSummary(row.summary).verdict.state };
  }
}
