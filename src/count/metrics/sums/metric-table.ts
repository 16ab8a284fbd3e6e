import type { Labels, Series, ShownSeries } from "../../../ports/metric-store.ts";
import type { MetricNumber, StoredSeries, SummedSeries } from "../../../ports/sums/metric-tables.ts";
import { seriesId } from "./amount-sums.ts";

const NOTHING: MetricNumber = { sum: 0, base: 0, shown: 0 };

/** A series in two, with the same labels. */
export interface DividedSeries {
  readonly kept?: StoredSeries;
  readonly rest?: StoredSeries;
}

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

  /** Lets each number be the sum in another table; 0 where it has none. Returns the series that this changes. */
  resum(sums: MetricTable): readonly StoredSeries[] {
    const all = new Map([...this.#series, ...sums.#series]);
    return [...all.values()]
      .filter(({ series }) => this.#resum(series, sums))
      .map(({ series }) => this.#stored(series));
  }

  #resum(series: Series, sums: MetricTable): boolean {
    const parts = new Set([...this.#stored(series).numbers.keys(), ...sums.#stored(series).numbers.keys()]);
    const changed = [...parts].filter((part) => this.numberOf(series, part).sum !== sums.numberOf(series, part).sum);
    for (const part of changed.sort((a, b) => a - b)) {
      const { sum } = sums.numberOf(series, part);
      const known = this.#stored(series).numbers.get(part);
      this.set(series, part, { base: 0, shown: this.#shownBelow(series, part), ...known, sum });
    }
    return changed.length > 0;
  }

  /** What the buckets below a new one have shown, because it has shown them too. */
  #shownBelow(series: Series, part: number): number {
    const below = inOrder(this.#stored(series).numbers).filter(([other]) => other > 0 && other < part);
    return below.at(-1)?.[1].shown ?? 0;
  }

  #stored(series: Series): StoredSeries {
    return this.#series.get(seriesId(series)) ?? { series, numbers: new Map<number, MetricNumber>() };
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

  /**
   * The table with other labels, which adds up series that become equal; `undefined` if none changes. A series that
   * changes is divided first: the part to keep has its labels.
   */
  relabelled(
    change: (labels: Labels) => Labels | undefined,
    divide: (stored: StoredSeries) => DividedSeries,
  ): MetricTable | undefined {
    const changed = new MetricTable();
    let isChanged = false;
    for (const stored of this.stored()) {
      const labels = change(stored.series.labels);
      const { kept, rest } = labels === undefined ? { kept: stored } : divide(stored);
      if (kept !== undefined) changed.merge(kept);
      if (labels === undefined || rest === undefined) continue;
      isChanged = true;
      changed.merge({ numbers: rest.numbers, series: { ...stored.series, labels } });
    }
    changed.raised();
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
