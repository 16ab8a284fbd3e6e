import type { Instant } from "../../job/model/instant.ts";
import { PROBE_CLUSTER } from "../../ports/deployment/limits.ts";
import type { JobStore } from "../../ports/jobs.ts";
import type { WidePosition } from "../../ports/wide-lists.ts";
import type { Scope } from "../access/scope.ts";
import { clusterNames, namespacesOf } from "../clusters/clusters.ts";
import type { JobFilter } from "../list/job-filter.ts";
import type { RowPorts } from "../list/list-jobs.ts";
import { afterInstant, type PlacedRow } from "../list/merged-rows.ts";

export interface OlderLive {
  readonly filter: Pick<JobFilter, "cluster" | "namespace">;
  /** Jobs that were created at this instant or later are left out. */
  readonly before: Instant;
}

/** The most rows to read. */
const MAX_ROWS = 1_000;

/**
 * Jobs that still change and were created before an instant. A store of several clusters has them in a list of their
 * own, which only readers of everything use: skipping the Jobs of others would cost time that reveals them.
 */
export async function olderLiveRows(ports: RowPorts, scope: Scope, older: OlderLive): Promise<readonly PlacedRow[]> {
  const { wide } = ports.jobs;
  if (wide === undefined) return liveRowsOfNamespaces(ports, scope, older);
  return scope === "everything" ? troubledRows(wide, older.before) : [];
}

async function troubledRows(wide: NonNullable<JobStore["wide"]>, before: Instant): Promise<readonly PlacedRow[]> {
  const start: WidePosition = afterInstant(before, "newest");
  const { rows } = await wide.list(wide.partitions(["B"]), { after: start, limit: MAX_ROWS });
  return rows.filter(({ cluster }) => cluster !== PROBE_CLUSTER);
}

async function liveRowsOfNamespaces(
  { jobs, meta }: RowPorts,
  scope: Scope,
  { filter, before }: OlderLive,
): Promise<readonly PlacedRow[]> {
  const found: PlacedRow[] = [];
  for (const cluster of await clusterNames(meta, scope, filter.cluster)) {
    for (const namespace of await namespacesOf(meta, scope, cluster)) {
      if (found.length >= MAX_ROWS) return found;
      if ((filter.namespace ?? namespace) !== namespace) continue;
      const limit = MAX_ROWS - found.length;
      const { rows } = await jobs.listLive({ cluster, namespace }, { after: afterInstant(before, "newest"), limit });
      found.push(...rows.map((row) => ({ ...row, cluster })));
    }
  }
  return found;
}
