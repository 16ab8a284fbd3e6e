import { boundedLabels } from "../../../ports/bounded-labels.ts";
import type { ClusterName } from "../../../job/model/ids.ts";
import { metricsKey } from "../../../ports/meta-key.ts";
import type { Series } from "../../../ports/metric-store.ts";
import type { SummedSeries } from "../../../ports/sums/metric-tables.ts";
import { clusterNames } from "../../../query/clusters/clusters.ts";
import type { AmountSums } from "./amount-sums.ts";
import { countSeries, type MetricPart, type MetricsOf, readParts, writePart } from "./metric-parts.ts";
import { MetricTable } from "./metric-table.ts";

export type MetricSums = Omit<MetricsOf, "cluster">;

export interface MetricRound {
  readonly round: number;
  /** The number of series of all clusters together. */
  readonly maxSeries: number;
  readonly clusters: ReadonlyMap<ClusterName, AmountSums>;
}

/** Series in a part. One with histograms of all of them has some 40 KB; an item may have 400. */
const SERIES_PER_PART = 500;

/**
 * Adds the differences of a round to the metrics of its clusters. A part that already contains the round is not
 * changed, so that an interrupted round can be applied again. No other process may change the projection's metrics at
 * the same time.
 */
export async function applyMetrics(sums: MetricSums, { round, maxSeries, clusters }: MetricRound): Promise<void> {
  if (clusters.size === 0) return;
  let known = 0;
  for (const cluster of await clusterNames(sums.meta, "everything")) known += await countSeries({ ...sums, cluster });
  // Sequentially, so that the limit of series selects the same series when the round is applied again.
  for (const [cluster, amounts] of clusters) {
    const of = { ...sums, cluster };
    const into = new ClusterMetrics(of, await readParts(of), round);
    for (const one of amounts.changed()) into.add(one, { maxSeries, known: known + into.added });
    await into.write();
    known += into.added;
  }
}

/** The metrics of one cluster while a round is being added. */
class ClusterMetrics {
  readonly #of: MetricsOf;
  readonly #parts: MetricPart[];
  readonly #round: number;
  readonly #changed = new Set<MetricPart>();
  /** How many series are new. */
  added = 0;

  constructor(of: MetricsOf, parts: readonly MetricPart[], round: number) {
    this.#of = of;
    this.#parts = [...parts];
    this.#round = round;
  }

  add({ series, parts }: SummedSeries, bound: { readonly maxSeries: number; readonly known: number }): void {
    const labels = boundedLabels(series.labels, {
      ...bound,
      isStored: (form) => this.#partWith({ ...series, labels: form }) !== undefined,
    });
    const bounded = { ...series, labels };
    const known = this.#partWith(bounded);
    const part = known ?? this.#partWithRoom();
    if (part.round >= this.#round) return;
    if (known === undefined) this.added += 1;
    part.table.add({ series: bounded, parts });
    this.#changed.add(part);
  }

  async write(): Promise<void> {
    for (const part of this.#changed) {
      part.table.raised();
      await writePart(this.#of.meta, { ...part, round: this.#round });
    }
  }

  #partWith(series: Pick<Series, "family" | "labels">): MetricPart | undefined {
    return this.#parts.find(({ table }) => table.has(series));
  }

  #partWithRoom(): MetricPart {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.table.size < SERIES_PER_PART) return last;
    const key = metricsKey(this.#of.cluster, this.#of.projection, this.#parts.length);
    const part = { key, table: new MetricTable(), round: 0, version: 0 };
    this.#parts.push(part);
    return part;
  }
}
