import * as v from "valibot";
import type { Labels, Series } from "../../../ports/metric-store.ts";
import type { StoredSeries } from "../../../ports/sums/metric-tables.ts";
import { packedJson, readPackedJson } from "../../../ports/sums/packed-text.ts";
import { LeastShown, MetricTable } from "./metric-table.ts";

const integer = v.pipe(v.number(), v.integer());
const stored = v.object({
  /** The kind and the names of the labels of each family. The first label is the cluster, and is not stored. */
  families: v.array(v.tuple([integer, v.picklist(["gauge", "counter", "latest"]), v.array(v.string())])),
  /**
   * The index of a family, the values of its labels, and the numbers of each part: sum, base, and how much `shown` is
   * above.
   */
  series: v.array(v.tuple([integer, v.array(v.string()), v.array(v.array(integer))])),
});
type Stored = v.InferOutput<typeof stored>;

/** A table as text. Equal tables have equal texts. */
export function packMetrics(table: MetricTable): string {
  const all = table.stored();
  const families = [...new Map(all.map(({ series }) => [series.family, familyOf(series)])).values()];
  const indexes = new Map(families.map(([family], index) => [family, index]));
  const value: Stored = {
    families,
    series: all.map(({ series, numbers }) => [
      indexes.get(series.family) ?? 0,
      Object.values(series.labels).slice(1),
      packNumbers(numbers),
    ]),
  };
  return packedJson(value);
}

function familyOf({ family, kind, labels }: Series): Stored["families"][0] {
  return [family, kind, Object.keys(labels).slice(1)];
}

/** Without zeros at the end: most numbers have a sum only. */
function packNumbers(numbers: StoredSeries["numbers"]): number[][] {
  const least = new LeastShown();
  return [...numbers]
    .sort(([a], [b]) => a - b)
    .map(([part, number]) => {
      const { sum, base, shown } = number;
      const over = shown - least.of(part, number);
      least.is(part, shown);
      if (over !== 0) return [part, sum, base, over];
      return base === 0 ? [part, sum] : [part, sum, base];
    });
}

function unpackNumbers(packed: readonly (readonly number[])[]): StoredSeries["numbers"] {
  const least = new LeastShown();
  return new Map(
    packed.map(([part = 0, sum = 0, base = 0, over = 0]) => {
      const shown = least.of(part, { sum, base }) + over;
      least.is(part, shown);
      return [part, { sum, base, shown }];
    }),
  );
}

/** The inverse of {@link packMetrics}; `undefined` if the text is damaged or of a later release. */
export function unpackMetrics(cluster: string, text: string): MetricTable | undefined {
  const read = v.safeParse(stored, readPackedJson(text));
  if (!read.success) return undefined;
  const { families, series } = read.output;
  return MetricTable.of(series.flatMap((one) => unpackSeries(cluster, families[one[0]], one) ?? []));
}

function unpackSeries(
  cluster: string,
  family: Stored["families"][0] | undefined,
  [, values, numbers]: Stored["series"][0],
): StoredSeries | undefined {
  if (family === undefined) return undefined;
  const [number, kind, names] = family;
  const own = names.map((name, at) => [name, values[at] ?? ""] as const);
  const labels: Labels = { cluster, ...Object.fromEntries(own) };
  return { series: { family: number, kind, labels }, numbers: unpackNumbers(numbers) };
}
