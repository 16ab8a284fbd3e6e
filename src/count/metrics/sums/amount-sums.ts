import type { Amount, Series } from "../../../ports/metric-store.ts";
import type { SummedSeries } from "../../../ports/sums/metric-tables.ts";

/** Sums of amounts by series. They can be added in any order. */
export class AmountSums {
  readonly #series = new Map<string, { readonly series: Series; readonly parts: Map<number, number> }>();

  /** For a series of kind `latest`: the highest amount, which cannot be subtracted again. */
  add({ series, part, amount }: Amount, times: 1 | -1 = 1): void {
    const isLatest = series.kind === "latest";
    if (isLatest && times === -1) return;
    const id = seriesId(series);
    const known = this.#series.get(id) ?? { series, parts: new Map<number, number>() };
    const before = known.parts.get(part) ?? 0;
    known.parts.set(part, isLatest ? Math.max(before, amount) : before + times * amount);
    this.#series.set(id, known);
  }

  /** The series that change, in an order that depends on their names alone. */
  changed(): readonly SummedSeries[] {
    const changed = [...this.#series].filter(([, { parts }]) => [...parts.values()].some((number) => number !== 0));
    return changed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sums]) => sums);
  }
}

const ids = new WeakMap<Pick<Series, "family" | "labels">, string>();

/** Equal for equal series. A label value has no control characters. */
export function seriesId(series: Pick<Series, "family" | "labels">): string {
  const known = ids.get(series);
  if (known !== undefined) return known;
  const id = `${String(series.family).padStart(2, "0")}\0${Object.values(series.labels).join("\0")}`;
  ids.set(series, id);
  return id;
}
