import { PROBE_CLUSTER } from "../../ports/deployment/limits.ts";
import type { Instant } from "../../job/model/instant.ts";
import type { JobStore } from "../../ports/jobs.ts";
import { WIDE_CLASSES, type WideClass, type WideLists } from "../../ports/wide-lists.ts";
import type { Scope } from "../access/scope.ts";
import type { JobFilter } from "./job-filter.ts";
import type { MergeRange, PassedKeys, PlacedRow } from "./merged-rows.ts";

/** Lists over all clusters, and the instant from which they contain all Jobs. */
export interface WideRows {
  /** Older Jobs may be missing. */
  readonly since: Instant;
  readonly rows: (range: MergeRange) => AsyncGenerator<PlacedRow | PassedKeys, void>;
}

/**
 * The wide lists for this filter; `undefined` if they cannot answer it. Only a reader of everything uses them: skipping
 * the Jobs of others would cost time that reveals them.
 */
export async function wideRows(
  { wide }: Pick<JobStore, "wide">,
  scope: Scope,
  filter: JobFilter,
): Promise<WideRows | undefined> {
  const { cluster, namespace, name } = filter;
  const isWide = [cluster, namespace, name].every((wanted) => wanted === undefined);
  if (wide === undefined || scope !== "everything" || !isWide) return undefined;
  const coverage = await wide.readCoverage();
  if (coverage === undefined) return undefined;
  const partitions = wide.partitions(classesOf(filter));
  return { since: coverage.since, rows: (range) => rowsOf(wide, partitions, range) };
}

/** Jobs that need attention or have failed are in classes of their own. */
function classesOf({ attention, states }: JobFilter): readonly WideClass[] {
  const isTrouble = attention === true || states?.every((state) => state === "Failed") === true;
  return isTrouble ? ["T", "B"] : WIDE_CLASSES;
}

async function* rowsOf(
  wide: WideLists,
  partitions: readonly string[],
  { order, after: start, pageSize }: MergeRange,
): AsyncGenerator<PlacedRow | PassedKeys, void> {
  let after = start;
  do {
    const page = await wide.list(partitions, { order, after, limit: pageSize });
    for (const row of page.rows) if (row.cluster !== PROBE_CLUSTER) yield row;
    after = page.next;
    const passed = pageSize - page.rows.length;
    if (after !== undefined && passed > 0) yield { ...after, passed };
  } while (after !== undefined);
}
