import type { MetricEraser } from "../../../ports/erasing/eraser.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { Labels } from "../../../ports/metric-store.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import { persist, relabelSchedules } from "../schedules/relabel-schedules.ts";
import { type MetricsOf, readParts, writePart } from "./metric-parts.ts";

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/**
 * Erases names from the metrics that the count function stores. The function subtracts the gauges of removed Jobs
 * itself: let it do so before labels are replaced. Gaps contribute to each scrape anew, so nothing is stored for them.
 */
export function createMetricEraser(meta: MetaStore): MetricEraser {
  return {
    subjects: async () => [],
    forget: async () => undefined,
    relabel: async (change) => {
      for (const cluster of await clusterNames(meta, "everything")) {
        for (const projection of PROJECTIONS) await persist(() => relabelParts({ meta, projection, cluster }, change));
      }
      await relabelSchedules(meta, change);
    },
  };
}

type Change = (labels: Labels) => Labels | undefined;

/** Each part has its own sums: a process that is killed between two parts has counted nothing twice. */
async function relabelParts(of: MetricsOf, change: Change): Promise<void> {
  for (const [index, part] of (await readParts(of)).entries()) {
    const table = part.table.relabelled((labels) => inPart(change(labels), index));
    if (table !== undefined) await writePart(of.meta, { ...part, table });
  }
}

/** A series is in one part only. */
function inPart(labels: Labels | undefined, part: number): Labels | undefined {
  return labels === undefined || part === 0 ? labels : { ...labels, namespace: `${labels["namespace"] ?? ""}.${part}` };
}
