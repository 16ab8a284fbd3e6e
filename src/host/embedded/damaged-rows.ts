import type { MetaKind } from "../../ports/meta.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { STORED_KINDS } from "../../upkeep/replay/stored-kinds.ts";
import { tablesOf } from "../../adapters/sqlite/sqlite-job-store.ts";
import type { Database } from "../../adapters/sqlite/database.ts";
import { type DamagedRow, damagedRows, deleteDamaged } from "../../adapters/sqlite/row-checksums.ts";

/** Whether a replay replaces a damaged row, because its content follows from the log. */
export function isRebuilt({ table, key: [kind = ""] }: DamagedRow): boolean {
  if (["jobs_", "pages_", "runs_", "metric_"].some((prefix) => table.startsWith(prefix))) return true;
  return table === "meta" && REBUILT_KINDS.some((rebuilt) => rebuilt === kind);
}

/** Kinds that follow from the log, but that a replay of a database file does not write: metrics, and those of AWS. */
const NOT_REBUILT: ReadonlySet<MetaKind> = new Set<MetaKind>(["logHour", "counts", "countBatch", "metrics"]);
const REBUILT_KINDS = Object.entries(STORED_KINDS)
  .filter(([kind, origin]) => origin === "log" && ![...NOT_REBUILT].some((other) => other === kind))
  .map(([kind]) => kind);

/**
 * Deletes damaged records before a replay writes them again from the log. The record of a cluster is kept, because it
 * may contain the cluster's identity, which is stored nowhere else.
 */
export async function discardDamagedRecords(database: Database): Promise<void> {
  const kinds = REBUILT_KINDS.filter((kind) => kind !== "cluster").map((kind) => `'${kind}'`);
  await database.write((connection) => deleteDamaged(connection, "meta", `kind IN (${kinds.join(", ")})`));
}

/**
 * Deletes damaged contributions and numbers of metrics. Returns how many rows of metrics are damaged. A damaged series
 * is not read, and is replaced when a Job contributes to it again: only removed Jobs may have contributed to it, and
 * then its labels are nowhere else.
 */
export async function discardDamagedMetrics(database: Database): Promise<number> {
  const [series, ...others] = ["metric_series", "metric_subjects", "metric_values"] as const;
  return database.write((connection) => {
    const deleted = others.map((table) => deleteDamaged(connection, table));
    return deleted.reduce((sum, rows) => sum + rows, damagedRows(connection, 1, series).length);
  });
}

/** Deletes damaged Jobs of a projection that no longer answers. */
export async function discardDamagedJobs(database: Database, projection: ProjectionName): Promise<void> {
  await database.write((connection) => {
    for (const table of Object.values(tablesOf(projection))) deleteDamaged(connection, table);
  });
}
