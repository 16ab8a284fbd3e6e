import * as v from "valibot";
import type { Labels, Series } from "../ports/metric-store.ts";
import { type Connection, numberOf, textOf } from "./connection.ts";
import { type Amounts, parseAmounts, partOf, seriesOf } from "./metric-amounts.ts";
import { idOfSeries } from "./metric-series.ts";

/**
 * Deletes the contribution of a subject. Gauges fall by its amounts, because the subject no longer exists. Counters and
 * latest instants keep them.
 */
export function forgetSubject(connection: Connection, cluster: string, id: string): void {
  const row = connection.get("SELECT amounts FROM metric_subjects WHERE cluster = ? AND subject = ?", cluster, id);
  if (row === undefined) return;
  takeFromGauges(connection, parseAmounts(textOf(row, "amounts")));
  connection.run("DELETE FROM metric_subjects WHERE cluster = ? AND subject = ?", cluster, id);
}

function takeFromGauges(connection: Connection, amounts: Amounts): void {
  const sql = `UPDATE metric_values SET value = value - ? WHERE series = ? AND part = ?
    AND EXISTS (SELECT 1 FROM metric_series WHERE id = metric_values.series AND kind = 'gauge')`;
  for (const [key, amount] of amounts) connection.run(sql, amount, seriesOf(key), partOf(key));
}

const labelsSchema = v.record(v.string(), v.string());

/** Replaces the labels of series. Series whose labels become equal are added up; for instants, the latest is kept. */
export function relabelSeries(connection: Connection, change: (labels: Labels) => Labels | undefined): void {
  for (const row of connection.all("SELECT id, family, kind, labels FROM metric_series")) {
    const labels = change(v.parse(labelsSchema, JSON.parse(textOf(row, "labels"))));
    if (labels === undefined) continue;
    const series = { family: numberOf(row, "family"), kind: kindIn(textOf(row, "kind")), labels };
    moveSeries(connection, { from: numberOf(row, "id"), to: idOfSeries(series), series });
  }
}

function kindIn(text: string): Series["kind"] {
  return text === "gauge" || text === "latest" ? text : "counter";
}

interface Moved {
  readonly from: number;
  readonly to: number;
  readonly series: Series;
}

function moveSeries(connection: Connection, { from, to, series: { family, kind, labels } }: Moved): void {
  const insert = "INSERT INTO metric_series (id, family, kind, labels) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
  connection.run(insert, to, family, kind, JSON.stringify(labels));
  const sum = kind === "latest" ? "max(value, excluded.value)" : "value + excluded.value";
  connection.run(
    `INSERT INTO metric_values (series, part, value, shown)
     SELECT ?, part, value, shown FROM metric_values WHERE series = ?
     ON CONFLICT DO UPDATE SET value = ${sum}, shown = shown + excluded.shown`,
    to,
    from,
  );
  connection.run("DELETE FROM metric_values WHERE series = ?", from);
  connection.run("DELETE FROM metric_series WHERE id = ?", from);
}
