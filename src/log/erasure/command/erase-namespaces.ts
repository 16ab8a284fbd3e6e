import type { ClusterName } from "../../../job/model/ids.ts";
import { isJobFact } from "../../../job/model/fact.ts";
import type { Eraser } from "../../../ports/erasing/eraser.ts";
import type { ListPosition } from "../../../ports/job-row.ts";
import { listRecords } from "../../../ports/list-records.ts";
import { ofCluster } from "../../../ports/meta-key.ts";
import type { ProjectionName, Projections } from "../../../ports/projections.ts";
import type { Erasure } from "../erasure.ts";
import { type LogStores, readableSegment, segmentsOfCluster } from "./erase-log.ts";

export interface NamespaceStores extends LogStores {
  readonly projections: Projections;
  readonly eraser: Pick<Eraser, "removeRecord">;
}

const PROJECTIONS: readonly ProjectionName[] = ["A", "B"];

/**
 * Removes the record of a namespace if the erasure leaves no Job in it and no fact that names it. Lists find Jobs by
 * this record, and it follows from the log. Returns the number of records.
 */
export async function eraseNamespaces(
  stores: NamespaceStores,
  erasure: Erasure,
  cluster: ClusterName,
): Promise<number> {
  let removed = 0;
  for await (const { key } of listRecords(stores.meta, "namespace", { prefix: ofCluster(cluster) })) {
    const namespace = key.slice(ofCluster(cluster).length);
    if (!erasure.isIn(namespace) && !erasure.isErasedNamespace(cluster, namespace)) continue;
    const remains = { cluster, namespace, erasure };
    if ((await hasJob(stores, remains)) || (await isNamed(stores, remains))) continue;
    await stores.eraser.removeRecord("namespace", key);
    removed += 1;
  }
  return removed;
}

interface Remains {
  readonly cluster: ClusterName;
  readonly namespace: string;
  readonly erasure: Erasure;
}

/** Whether a projection has a Job of the namespace that is not erased. The log may have lost its facts. */
async function hasJob({ projections }: NamespaceStores, { cluster, namespace, erasure }: Remains): Promise<boolean> {
  for (const projection of PROJECTIONS) {
    const jobs = projections.open(projection);
    let after: ListPosition | undefined;
    do {
      const page = await jobs.list({ cluster, namespace }, { limit: PAGE, ...(after && { after }) });
      if (page.rows.some(({ jobUid }) => !erasure.isErasedJob(cluster, jobUid))) return true;
      after = page.next;
    } while (after !== undefined);
  }
  return false;
}

const PAGE = 100;

/** Whether the log has a fact in the namespace that is not erased. */
async function isNamed(stores: NamespaceStores, { cluster, namespace, erasure }: Remains): Promise<boolean> {
  for await (const item of segmentsOfCluster(stores, cluster)) {
    const { facts } = readableSegment(item);
    const isLeft = facts.some(
      (fact) =>
        isJobFact(fact) && "namespace" in fact && fact.namespace === namespace && !erasure.isErased(cluster, fact),
    );
    if (isLeft) return true;
  }
  return false;
}
