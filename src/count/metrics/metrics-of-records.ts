import type { Contribution, MetricStore, MetricSubject, ShownSeries } from "../../ports/metric-store.ts";

/**
 * The metrics of one scrape for stores without stored sums: the contributions of clusters, gaps and CronJobs, whose
 * records are never deleted, so that counters do not fall. Jobs do not contribute.
 */
export class MetricsOfRecords implements MetricStore {
  readonly #subjects = new Map<string, Contribution>();

  async contribute({ cluster, id }: MetricSubject, contribution: Contribution): Promise<void> {
    this.#subjects.set(`${cluster}#${id}`, contribution);
  }

  async show(): Promise<readonly ShownSeries[]> {
    const shown = new Map<string, ShownSeries & { readonly parts: Map<number, number> }>();
    for (const { series, part, amount } of [...this.#subjects.values()].flatMap(({ amounts }) => amounts)) {
      const name = JSON.stringify([series.family, series.labels]);
      const parts = shown.get(name)?.parts ?? new Map<number, number>();
      const before = parts.get(part) ?? 0;
      parts.set(part, series.kind === "latest" ? Math.max(before, amount) : before + amount);
      shown.set(name, { ...series, parts });
    }
    return [...shown.values()];
  }

  async isBehind(): Promise<boolean> {
    return false;
  }

  async caughtUp(): Promise<void> {}
}
