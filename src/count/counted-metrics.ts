import { countPosition } from "./count-records.ts";
import { countPositionKey } from "../ports/meta-key.ts";
import { readRecord } from "../ports/records/record-codec.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { Contribution, MetricStore, MetricSubject, ShownSeries } from "../ports/metric-store.ts";
import type { Scope } from "../query/access/scope.ts";
import { clusterNames } from "../query/clusters/clusters.ts";
import { METRICS_AS_OF } from "./metrics/metric-families.ts";
import { MetricsOfRecords } from "./metrics/metrics-of-records.ts";
import { seriesId } from "./metrics/sums/amount-sums.ts";
import { readParts } from "./metrics/sums/metric-parts.ts";
import { readMetricsRecord } from "./metrics/sums/metrics-record.ts";

/**
 * The metrics of one scrape on AWS. The count function (src/count) stores those of Jobs. The scrape adds those of the
 * records of clusters, gaps and CronJobs.
 */
export class CountedMetrics implements MetricStore {
  readonly #meta: MetaStore;
  readonly #scope: Scope;
  readonly #ofRecords = new MetricsOfRecords();

  /** Reads the clusters that the reader may see. The caller must leave out namespaces that the reader may not see. */
  constructor(meta: MetaStore, scope: Scope) {
    this.#meta = meta;
    this.#scope = scope;
  }

  contribute(subject: MetricSubject, contribution: Contribution): Promise<void> {
    return this.#ofRecords.contribute(subject, contribution);
  }

  async show(): Promise<readonly ShownSeries[]> {
    const shown = new Map((await this.#ofJobs()).map((series) => [seriesId(series), series]));
    for (const series of await this.#ofRecords.show()) {
      const known = shown.get(seriesId(series));
      shown.set(seriesId(series), known === undefined ? series : latestOf(series, known));
    }
    return [...shown.values()];
  }

  async isBehind(): Promise<boolean> {
    return false;
  }

  async caughtUp(): Promise<void> {}

  async #ofJobs(): Promise<readonly ShownSeries[]> {
    const stored = await readMetricsRecord(this.#meta);
    if (stored === undefined) return [];
    const projection = stored.value.of;
    const position = await readRecord(this.#meta, countPosition, countPositionKey(projection));
    const asOf = position?.value.countedTo;
    const series: ShownSeries[] = [];
    if (asOf !== undefined) {
      series.push({ family: METRICS_AS_OF.number, kind: "gauge", labels: {}, parts: new Map([[0, asOf]]) });
    }
    for (const cluster of await clusterNames(this.#meta, this.#scope)) {
      const parts = await readParts({ meta: this.#meta, projection, cluster }, { isEventual: true });
      series.push(...parts.flatMap(({ table }) => table.shown()));
    }
    return series;
  }
}

/** Jobs and the record of a CronJob both say when it last succeeded. */
function latestOf(one: ShownSeries, other: ShownSeries): ShownSeries {
  const [a = 0, b = 0] = [one.parts.get(0), other.parts.get(0)];
  return a > b ? one : other;
}
