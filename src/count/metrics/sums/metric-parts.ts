import * as v from "valibot";
import type { ClusterName } from "../../../job/model/ids.ts";
import { listRecords } from "../../../ports/list-records.ts";
import { metricsKey } from "../../../ports/meta-key.ts";
import type { MetaStore } from "../../../ports/meta.ts";
import type { ProjectionName } from "../../../ports/projections.ts";
import { recordCodec, writeRecord } from "../../../ports/records/record-codec.ts";
import { packMetrics, unpackMetrics } from "./metric-table-text.ts";
import type { MetricTable } from "./metric-table.ts";
import { SumsConflictError, SumsUnreadableError } from "./sums-errors.ts";

/** Where the metrics of a cluster's Jobs are. */
export interface MetricsOf {
  readonly meta: MetaStore;
  readonly projection: ProjectionName;
  readonly cluster: ClusterName;
}

/** A part of the metrics of a cluster. A full part gets no new series, so that new series change one part only. */
export interface MetricPart {
  readonly key: string;
  readonly table: MetricTable;
  /** The last round whose differences are in it. */
  readonly round: number;
  /** 0 if it was never written. */
  readonly version: number;
}

interface StoredPart {
  readonly round: number;
  /** How many series it has. */
  readonly series: number;
  readonly table: string;
}

const metricPart = recordCodec<StoredPart>(
  "metrics",
  v.looseObject({ round: v.number(), series: v.number(), table: v.string() }),
);

/** All parts of a cluster, in order. */
export async function readParts(
  { meta, projection, cluster }: MetricsOf,
  { isEventual = false } = {},
): Promise<readonly MetricPart[]> {
  const parts: MetricPart[] = [];
  const prefix = metricsKey(cluster, projection, "");
  for await (const record of listRecords(meta, "metrics", { prefix, isEventual })) {
    const { round, table: text } = metricPart.decode(record);
    const table = unpackMetrics(cluster, text);
    if (table === undefined) throw new SumsUnreadableError(record.key);
    parts.push({ key: record.key, table, round, version: record.version });
  }
  return parts;
}

/** The number of series of a cluster, without reading them. */
export async function countSeries({ meta, projection, cluster }: MetricsOf): Promise<number> {
  let series = 0;
  for await (const record of listRecords(meta, "metrics", { prefix: metricsKey(cluster, projection, "") })) {
    series += metricPart.decode(record).series;
  }
  return series;
}

/** Throws {@link SumsConflictError} where the stored version is another one. */
export async function writePart(meta: MetaStore, { key, table, round, version }: MetricPart): Promise<void> {
  const value = { round, series: table.size, table: packMetrics(table) };
  const { outcome } = await writeRecord(meta, metricPart, { key, value, expected: version });
  if (outcome === "conflict") throw new SumsConflictError(key);
}
