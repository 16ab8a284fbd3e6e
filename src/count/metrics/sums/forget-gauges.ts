import { clusterNames } from "../../../query/clusters/clusters.ts";
import type { MetricSums } from "./apply-metrics.ts";
import { readParts, writePart } from "./metric-parts.ts";

/** Sets all gauges of a projection to 0, because the stream lost writes. Counters stay, without the lost writes. */
export async function forgetGauges(sums: MetricSums): Promise<void> {
  for (const cluster of await clusterNames(sums.meta, "everything")) {
    for (const part of await readParts({ ...sums, cluster })) {
      const gauges = part.table.stored().filter(({ series }) => series.kind === "gauge");
      for (const { series, numbers } of gauges) {
        for (const number of numbers.keys()) part.table.set(series, number, { sum: 0, base: 0, shown: 0 });
      }
      if (gauges.length > 0) await writePart(sums.meta, part);
    }
  }
}
