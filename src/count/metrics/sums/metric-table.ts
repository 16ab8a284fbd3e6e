import type { Labels, Series, ShownSeries } from "../../../ports/metric-store.ts";
import type { MetricNumber, StoredSeries, SummedSeries } from "../../../ports/sums/metric-tables.ts";
import { seriesId } from "./amount-sums.ts";

const NOTHING: MetricNumber = { sum: 0, base: 0, shown: 0 };

/** Series with their numbers, of a store or a part of one. Series are never removed. */
export class MetricTable {
  readonly #series = new Map<string, { readonly series: Series; readonly numbers: Map<number, MetricNumber> }>();

  static of(stored: Iterable<StoredSeries>): MetricTable {
    const table = new MetricTable();
    for (const { series, numbers } of stored) {
      table.#series.set(seriesId(series), { series, numbers: new Map(numbers) });
    }
    return table;
  }

  get size(): number {
    return this.#series.size;
  }

  has(series: Pick<Series, "family" | "labels">): boolean {
    return this.#series.has(seriesId(series));
  }

  numberOf(series: Series, part: number): MetricNumber {
    return this.#series.get(seriesId(series))?.numbers.get(part) ?? NOTHING;
  }

  add({ series, parts }: SummedSeries): void {
    for (const [part, amount] of parts) {
      const before = this.numberOf(series, part);
      const sum = series.kind === "latest" ? Math.max(before.sum, amount) : before.sum + amount;
      this.set(series, part, { ...before, sum });
    }
  }

  set(series: Series, part: number, number: MetricNumber): void {
    const id = seriesId(series);
    const known = this.#series.get(id) ?? { series, numbers: new Map<number, MetricNumber>() };
    known.numbers.set(part, number);
    this.#series.set(id, known);
  }

  /** Adds the numbers of a series to those of the equal series in this table. */
  merge({ series, numbers }: StoredSeries): void {
    const isLatest = series.kind === "latest";
    const both = (a: number, b: number) => (isLatest ? Math.max(a, b) : a + b);
    const isNew = !this.has(series);
    for (const [part, { sum, base, shown }] of numbers) {
      const known = this.numberOf(series, part);
      this.set(series, part, {
        sum: both(known.sum, sum),
        base: both(known.base, base),
        shown: both(known.shown, shown),
      });
    }
    if (!isNew) this.#raise(series);
  }

  /** Lets a series show its numbers; a counter, unless it has shown more. Returns whether that changes anything. */
  #raise(series: Series): boolean {
    const numbers = this.#series.get(seriesId(series))?.numbers ?? new Map<number, MetricNumber>();
    const least = new LeastShown();
    let isRaised = false;
    for (const [part, number] of inOrder(numbers)) {
      const due = least.of(part, number);
      const shown = series.kind === "counter" ? Math.max(number.shown, due) : number.sum;
      least.is(part, shown);
      isRaised ||= shown !== number.shown;
      numbers.set(part, { ...number, shown });
    }
    return isRaised;
  }

  /** Raises all series, and returns those that this changes. */
  raised(): readonly StoredSeries[] {
    return this.stored().filter(({ series }) => this.#raise(series));
  }

  /** The table with other labels, which adds up series that become equal; `undefined` if none changes. */
  relabelled(change: (labels: Labels) => Labels | undefined): MetricTable | undefined {
    const changed = new MetricTable();
    let isChanged = false;
    for (const { series, numbers } of this.stored()) {
      const labels = change(series.labels);
      isChanged ||= labels !== undefined;
      changed.merge({ series: { ...series, labels: labels ?? series.labels }, numbers });
    }
    return isChanged ? changed : undefined;
  }

  /** In an order that depends on their names alone. */
  stored(): readonly StoredSeries[] {
    return [...this.#series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, stored]) => stored);
  }

  shown(): readonly ShownSeries[] {
    return this.stored().map(({ series, numbers }) => ({ ...series, parts: partsOf(numbers) }));
  }
}

function inOrder(numbers: ReadonlyMap<number, MetricNumber>): readonly (readonly [number, MetricNumber])[] {
  return [...numbers].sort(([a], [b]) => a - b);
}

/** Each bucket without those below it. */
function partsOf(numbers: ReadonlyMap<number, MetricNumber>): ReadonlyMap<number, number> {
  const parts = new Map<number, number>();
  let below = 0;
  for (const [part, { shown }] of inOrder(numbers)) {
    parts.set(part, shown - below);
    if (part > 0) below = shown;
  }
  return parts;
}

/**
 * The lowest values that the parts of a counter may show, in order: for part 0 its number, for a bucket the cumulative
 * one.
 */
export class LeastShown {
  #sum = 0;
  #shown = 0;

  of(part: number, { sum, base }: Pick<MetricNumber, "sum" | "base">): number {
    if (part === 0) return base + sum;
    this.#sum += base + sum;
    return Math.max(this.#sum, this.#shown);
  }

  /** Call it with the number of each part, in order. */
  is(part: number, shown: number): void {
    if (part > 0) this.#shown = shown;
  }
}
