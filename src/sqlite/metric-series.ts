import { createHash } from "node:crypto";
import { boundedLabels } from "../ports/bounded-labels.ts";
import type { Amount, Labels, Series, ShownSeries } from "../ports/metric-store.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";
import { type AmountChange, type AmountKey, amountKey, partOf, seriesId, seriesOf } from "./metric-amounts.ts";

/** The series of a database, as every writer of it knows them. */
export class SeriesIds {
  readonly #maxSeries: number;
  /** The ids of label sets. A set beyond the bound has the id of the series in which it is summed. */
  readonly #ids = new Map<string, number>();
  readonly #series = new Map<number, Series>();

  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
  }

  stored(connection: Connection, { series, part, amount }: Amount): readonly [AmountKey, number] {
    return [amountKey(this.#idOf(connection, series), part), amount];
  }

  /**
   * Changes a sum. The id of a series follows from its labels, so it stays correct when a transaction is rolled back.
   */
  change(connection: Connection, key: AmountKey, { before, after }: AmountChange): void {
    const [id, part] = [seriesOf(key), partOf(key)];
    const kind = this.#series.get(id)?.kind ?? kindOf(connection, id);
    const by = kind === "latest" ? after : after - before;
    if (connection.run(CHANGES[kind], by, id, part) > 0) return;
    const series = this.#series.get(id);
    if (series !== undefined) this.#insert(connection, id, series);
    const sql = "INSERT INTO metric_values (series, part, value, shown) VALUES (?, ?, ?, ?)";
    connection.run(sql, id, part, by, kind === "counter" ? 0 : null);
  }

  #insert(connection: Connection, id: number, { family, kind, labels }: Series): void {
    const sql = "INSERT INTO metric_series (id, family, kind, labels) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
    connection.run(sql, id, family, kind, JSON.stringify(labels));
  }

  #idOf(connection: Connection, series: Series): number {
    const text = textOfSeries(series);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#chooseId(connection, series);
    if (this.#ids.size >= MAX_REMEMBERED) this.#ids.clear();
    this.#ids.set(text, id);
    return id;
  }

  #chooseId(connection: Connection, series: Series): number {
    const labels = boundedLabels(series.labels, {
      maxSeries: this.#maxSeries,
      known: this.#known(connection),
      isStored: (form) => this.#isKnown(connection, idOfSeries({ ...series, labels: form })),
    });
    const bounded = { ...series, labels };
    const id = idOfSeries(bounded);
    this.#series.set(id, bounded);
    return id;
  }

  /** Stored, or to be stored when this transaction ends. */
  #isKnown(connection: Connection, id: number): boolean {
    return this.#series.has(id) || connection.get("SELECT 1 AS one FROM metric_series WHERE id = ?", id) !== undefined;
  }

  /** Series that are stored, or will be when the current transaction ends. */
  #known(connection: Connection): number {
    const row = connection.get("SELECT count(*) AS known FROM metric_series");
    return Math.max(row === undefined ? 0 : numberOf(row, "known"), this.#series.size);
  }
}

/** The cache's limit. There can be as many label sets beyond the limit of series as owners. */
const MAX_REMEMBERED = 50_000;

/**
 * Combines two amounts. Counters and gauges are added. For the latest instant, the higher one is kept, and never
 * subtracted.
 */
const CHANGES: Readonly<Record<Series["kind"], string>> = {
  gauge: "UPDATE metric_values SET value = value + ? WHERE series = ? AND part = ?",
  counter: "UPDATE metric_values SET value = value + ? WHERE series = ? AND part = ?",
  latest: "UPDATE metric_values SET value = max(value, ?) WHERE series = ? AND part = ?",
};

/** Faster than JSON, and unambiguous: a label value has no control characters. */
function textOfSeries({ family, labels }: Series): string {
  return `${family}\0${Object.values(labels).join("\0")}`;
}

/** The number of a series, which follows from its labels. */
export function idOfSeries(series: Series): number {
  return seriesId(series.family, createHash("sha256").update(textOfSeries(series)).digest());
}

function kindOf(connection: Connection, id: number): Series["kind"] {
  const row = connection.get("SELECT kind FROM metric_series WHERE id = ?", id);
  return row === undefined ? "counter" : readKind(row);
}

function readKind(row: Row): Series["kind"] {
  const kind = textOf(row, "kind");
  return kind === "gauge" || kind === "latest" ? kind : "counter";
}

/**
 * All series with their numbers: for a counter the highest shown number, which never falls, and for a gauge the sum.
 */
export function readSeries(connection: Connection): readonly ShownSeries[] {
  const rows = connection.all(
    `SELECT s.id, s.family, s.kind, s.labels, v.part, coalesce(v.shown, v.value) AS number
     FROM metric_series s JOIN metric_values v ON v.series = s.id
     ORDER BY s.family, s.labels, s.id, v.part`,
  );
  const series: (ShownSeries & { readonly parts: Map<number, number> })[] = [];
  let last: number | undefined;
  for (const row of rows) {
    const id = numberOf(row, "id");
    if (id !== last) series.push({ ...describe(row), parts: new Map() });
    series.at(-1)?.parts.set(numberOf(row, "part"), numberOf(row, "number"));
    last = id;
  }
  return series;
}

function describe(row: Row): Series {
  return { family: numberOf(row, "family"), kind: readKind(row), labels: readLabels(textOf(row, "labels")) };
}

function readLabels(text: string): Labels {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) return {};
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}
