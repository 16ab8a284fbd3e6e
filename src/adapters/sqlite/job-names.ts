import type { NameQuery, NamespaceOfJobs } from "../../ports/jobs.ts";
import { type Connection, textOf } from "./connection.ts";

interface NamesOf extends NamespaceOfJobs {
  readonly limit: number;
}

/** The names of the newest Jobs of a namespace, up to `limit` of each phase. */
export function sampleNames(
  connection: Connection,
  table: string,
  { cluster, namespace, limit }: NamesOf,
): readonly string[] {
  const sql = `SELECT name FROM ${table} WHERE cluster = ? AND namespace = ? AND phase = ? AND phase IS NOT NULL
    ORDER BY created_at DESC, job_uid LIMIT ?`;
  return ["A", "F"].flatMap((phase) =>
    connection.all(sql, cluster, namespace, phase, limit).map((row) => textOf(row, "name")),
  );
}

/** The namespaces that have a Job of the name. Each takes one lookup in the index of names. */
export function namespacesWithName(
  connection: Connection,
  table: string,
  { cluster, name, namespaces }: NameQuery,
): readonly string[] {
  const sql = `SELECT 1 FROM ${table} WHERE cluster = ? AND namespace = ? AND name = ? AND phase IS NOT NULL LIMIT 1`;
  return namespaces.filter((namespace) => connection.get(sql, cluster, namespace, name) !== undefined);
}
