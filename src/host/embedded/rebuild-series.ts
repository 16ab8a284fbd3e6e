import type { ClusterName } from "../../job/model/ids.ts";
import type { Log } from "../../ports/log.ts";
import type { MetaStore } from "../../ports/meta.ts";
import type { Eraser } from "../../ports/erasing/eraser.ts";
import type { ProjectionName, Projections } from "../../ports/projections.ts";
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
