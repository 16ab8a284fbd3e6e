import { boundedLabels, boundedForms } from "../../ports/bounded-labels.ts";
import type {
  Amount,
  Contribution,
  MetricStore,
  MetricSubject,
  Series,
  ShownSeries,
} from "../../ports/metric-store.ts";
import type { MetricTables } from "../../ports/sums/metric-tables.ts";
import { differenceOf, replaced } from "./sums/amount-difference.ts";
import { seriesId } from "./sums/amount-sums.ts";
import { MetricTable } from "./sums/metric-table.ts";

/** Label sets beyond the bound are as many as their owners: not all are remembered. */
const MOST_REMEMBERED = 50_000;

/** Metrics whose subjects are stored beside their sums: both change together. */
export class StoredMetrics implements MetricStore {
  readonly #tables: MetricTables;
  readonly #maxSeries: number;
  /** The series of label sets. A set beyond the bound has the series in which it is summed. */
  readonly #bounded = new Map<string, Series>();
  /** Series that are stored, or will be when their transaction ends. */
  readonly #known = new Set<string>();

  constructor(tables: MetricTables, { maxSeries }: { readonly maxSeries: number }) {
    this.#tables = tables;
    this.#maxSeries = maxSeries;
  }

  async contribute(subject: MetricSubject, { amounts, keep, at }: Contribution): Promise<void> {
    const own: Amount[] = [];
    for (const amount of amounts) {
      const series = this.#bounded.get(seriesId(amount.series)) ?? (await this.#boundedSeries(amount.series));
      own.push({ ...amount, series });
    }
    const change = async () => {
      const before = await this.#tables.amountsOf(subject);
      const after = replaced(before, { amounts: own, keep });
      return { after, difference: differenceOf(before, after).changed() };
    };
    // Most derivations of a Job contribute what it contributed before: they need no lock.
    if ((await change()).difference.length === 0) return;
    await this.#tables.inTransaction(async () => {
      const { after, difference } = await change();
      for (const added of difference) await this.#tables.add(added);
      await this.#tables.writeAmounts(subject, after, at);
    });
  }

  /** Raises what was shown of each counter. Where that cannot be stored now, it is late: it never falls. */
  async show(): Promise<readonly ShownSeries[]> {
    const table = MetricTable.of(await this.#tables.series());
    const shown = table.shown();
    if (table.raised().length === 0) return shown;
    let latest = shown;
    const isStored = await this.#tables.raise((stored) => {
      const now = MetricTable.of(stored);
      const raised = now.raised();
      latest = now.shown();
      return raised;
    });
    return isStored ? latest : shown;
  }

  isBehind(): Promise<boolean> {
    return this.#tables.isBehind();
  }

  caughtUp(): Promise<void> {
    return this.#tables.caughtUp();
  }

  async #boundedSeries(series: Series): Promise<Series> {
    const forms = boundedForms(series.labels).map((labels) => ({ ...series, labels }));
    const { stored, count } = await this.#tables.lookUp(forms);
    const ids = new Set(stored.map(seriesId));
    const isStored = (labels: Series["labels"]): boolean => {
      const form = seriesId({ ...series, labels });
      return this.#known.has(form) || ids.has(form);
    };
    const known = Math.max(count, this.#known.size);
    const bounded = {
      ...series,
      labels: boundedLabels(series.labels, { maxSeries: this.#maxSeries, known, isStored }),
    };
    this.#known.add(seriesId(bounded));
    if (this.#bounded.size >= MOST_REMEMBERED) this.#bounded.clear();
    this.#bounded.set(seriesId(series), bounded);
    return bounded;
  }
}
