import { createHash } from "node:crypto";
import type { Labels, Series } from "../../ports/metric-store.ts";
import type { MetricNumber, StoredSeries } from "../../ports/sums/metric-tables.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";
import { seriesId } from "./metric-amounts.ts";
import { isSound } from "./row-checksums.ts";

/** The number of a series, which follows from its labels. A label value has no control characters. */
export function idOfSeries({ family, labels }: Pick<Series, "family" | "labels">): number {
  const text = `${family}\0${Object.values(labels).join("\0")}`;
  return seriesId(family, createHash("sha256").update(text).digest());
}

/** A series with a wrong checksum is not read: its number may be another one's. */
const SERIES = `SELECT id, family, kind, labels FROM metric_series WHERE ${isSound("id", "family", "kind", "labels")}`;

export function findSeries(connection: Connection, id: number): Series | undefined {
  const row = connection.get(`${SERIES} AND id = ?`, id);
  return row && seriesIn(row);
}

/** All series with their numbers. One without numbers is 0: they were damaged, and no subject contributes to it. */
export function readSeries(connection: Connection): readonly StoredSeries[] {
  const rows = connection.all(
    `SELECT s.id, s.family, s.kind, s.labels, coalesce(v.part, 0) AS part, coalesce(v.value, 0) AS value,
       coalesce(v.shown, v.value, 0) AS shown
     FROM (${SERIES}) s LEFT JOIN metric_values v ON v.series = s.id ORDER BY s.id, v.part`,
  );
  const all: (StoredSeries & { readonly numbers: Map<number, MetricNumber> })[] = [];
  let last: number | undefined;
  let below = 0;
  for (const row of rows) {
    const [id, part] = [numberOf(row, "id"), numberOf(row, "part")];
    if (id !== last) all.push({ series: seriesIn(row), numbers: new Map() });
    // The table has what was shown of each bucket without those below it.
    below = id === last && part > 1 ? below : 0;
    const shown = below + numberOf(row, "shown");
    if (part > 0) below = shown;
    all.at(-1)?.numbers.set(part, { sum: numberOf(row, "value"), base: 0, shown });
    last = id;
  }
  return all;
}

/** A damaged row is left as it is. Otherwise the new checksum would be right, and hide the damage. */
export const SOUND_NUMBER = isSound("series", "part", "value", "shown");

/** Writes what counters have shown. */
export function writeShown(connection: Connection, raised: readonly StoredSeries[]): void {
  const sql = `UPDATE metric_values SET shown = ? WHERE series = ? AND part = ? AND shown <> ? AND ${SOUND_NUMBER}`;
  for (const stored of raised) {
    const id = idOfSeries(stored.series);
    for (const { part, shown } of rowsOf(stored)) connection.run(sql, shown, id, part, shown);
  }
}

/** Writes a series with all its numbers. */
export function writeSeries(connection: Connection, stored: StoredSeries): void {
  const id = addSeries(connection, stored.series);
  connection.run("DELETE FROM metric_values WHERE series = ?", id);
  for (const { part, sum, shown } of rowsOf(stored)) {
    addNumber(connection, { id, part, sum, shown: stored.series.kind === "counter" ? shown : null });
  }
}

/** Writes a series without numbers. */
export function addSeries(connection: Connection, series: Series): number {
  const id = idOfSeries(series);
  const sql = `INSERT INTO metric_series (id, family, kind, labels) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET family = excluded.family, kind = excluded.kind, labels = excluded.labels`;
  connection.run(sql, id, series.family, series.kind, JSON.stringify(series.labels));
  return id;
}

interface NumberRow {
  readonly id: number;
  readonly part: number;
  readonly sum: number;
  /** Null unless the series is a counter. */
  readonly shown: number | null;
}

export function addNumber(connection: Connection, { id, part, sum, shown }: NumberRow): void {
  const sql = "INSERT INTO metric_values (series, part, value, shown) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
  connection.run(sql, id, part, sum, shown);
}

export function removeSeries(connection: Connection, series: Series): void {
  const id = idOfSeries(series);
  connection.run("DELETE FROM metric_values WHERE series = ?", id);
  connection.run("DELETE FROM metric_series WHERE id = ?", id);
}

/** The numbers in the order of their parts, each bucket without those below it. */
function rowsOf({ numbers }: StoredSeries) {
  let below = 0;
  return [...numbers]
    .sort(([a], [b]) => a - b)
    .map(([part, { sum, shown }]) => {
      const row = { part, sum, shown: shown - below };
      if (part > 0) below = shown;
      return row;
    });
}

function seriesIn(row: Row): Series {
  return { family: numberOf(row, "family"), kind: readKind(row), labels: readLabels(textOf(row, "labels")) };
}

function readKind(row: Row): Series["kind"] {
  const kind = textOf(row, "kind");
  return kind === "gauge" || kind === "latest" ? kind : "counter";
}

function readLabels(text: string): Labels {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null) return {};
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}
