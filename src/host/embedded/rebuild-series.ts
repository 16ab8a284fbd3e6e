import type { ClusterName } from "../../job/model/ids.ts";
import type { Log } from "../../ports/log.ts";
import { SERIES_KEY } from "../../ports/meta-key.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { Eraser } from "../../ports/erasing/eraser.ts";
import type { ProjectionName, Projections } from "../../ports/projections.ts";
import { MARKER } from "../../ports/records/marker-record.ts";
import { readLivePointer } from "../../projection/live-projection.ts";
import { repairRecords, type RecordPorts } from "../../upkeep/replay/rebuild-records.ts";
import { compareSeries } from "../../upkeep/series/compare-series.ts";

interface SeriesPorts extends Pick<RecordPorts, "atOnce"> {
  readonly log: Log;
  readonly meta: MetaStore;
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "storedJobs" | "removeRecord">;
}

/** Repairs the records of series by the Jobs of a projection. */
export async function rebuildSeries(ports: SeriesPorts, projection: ProjectionName): Promise<void> {
  const { log, meta, projections, eraser, atOnce } = ports;
  const storedJobs = (cluster: ClusterName) => eraser.storedJobs(projection, cluster);
  const mismatches = await compareSeries({ log, meta, jobs: projections.open(projection), storedJobs });
  const removeRecord: RecordPorts["removeRecord"] = (kind, key) => eraser.removeRecord(kind, key);
  await repairRecords({ log, meta, removeRecord, ...(atOnce && { atOnce }) }, mismatches);
}

/** Adds the runs to the records of their series that were stored before there were such records. */
export async function joinEarlierRuns(ports: SeriesPorts): Promise<void> {
  const { meta } = ports;
  if ((await meta.read("position", SERIES_KEY)) !== undefined) return;
  await rebuildSeries(ports, (await readLivePointer(meta)).live);
  await meta.write("position", SERIES_KEY, { value: MARKER, expected: 0 });
}
