import type { Eraser } from "../../../ports/erasing/eraser.ts";
import type { MetaKind } from "../../../ports/meta.ts";
import { Erasure } from "../erasure.ts";
import type { ErasureCounts } from "../erasure-record.ts";
import { type ErasureRequest, knownOf, scopeOf } from "../erasure-target.ts";
import { eraseRecords, type RecordStores } from "./erase-records.ts";
import { eraseSubjects, type SubjectStores } from "./erase-views.ts";
import { eraseSetAside, type SetAsideStores } from "./erase-set-aside.ts";
import { gather, type GatherStores } from "./gather.ts";
import { newSalt } from "../salted-names.ts";

/** Counts what an erasure would remove, in the steps of the erasure itself, and changes nothing. */
export async function planErasure(stores: PlanStores, request: ErasureRequest): Promise<ErasureCounts> {
  const { cluster } = request.target;
  const salt = newSalt();
  const scope = scopeOf(request, { id: "planned-erasure", salt });
  const erasure = new Erasure(scope, knownOf(request.target, salt));
  const gathered = await gather(stores, erasure, cluster);
  const unchanging = unchangingStores(stores);
  const records = await eraseRecords(unchanging, erasure, cluster);
  const messages = await eraseSetAside({ meta: unchanging.meta, senders: stores.senders }, erasure);
  const subjects = await eraseSubjects(unchanging, erasure, cluster);
  const counts = { ...gathered, records: records + messages + subjects, objects: 0 };
  return { ...counts, objects: (await stores.archive?.countErased(erasure, counts)) ?? 0 };
}

export interface PlanStores extends GatherStores, Pick<SetAsideStores, "senders"> {
  readonly eraser: Pick<Eraser, "storedJobs" | "notices" | "metrics">;
}

/** Nothing is written or removed; a record that would be removed is not read again. */
function unchangingStores({
  log,
  projections,
  meta,
  holds,
  views,
  eraser: { notices, metrics },
}: PlanStores): SubjectStores & RecordStores {
  const removed = new Set<string>();
  return {
    log,
    projections,
    holds,
    views,
    meta: {
      read: async (kind, key) => (removed.has(idOf(kind, key)) ? undefined : meta.read(kind, key)),
      list: (kind, range) => meta.list(kind, range),
      write: async () => ({ outcome: "conflict" }),
    },
    eraser: {
      removeRecord: async (kind, key) => void removed.add(idOf(kind, key)),
      ...(notices && { notices: { subjects: (cluster) => notices.subjects(cluster), erase: nothing } }),
      ...(metrics && {
        metrics: { subjects: (cluster) => metrics.subjects(cluster), forget: nothing, relabel: nothing },
      }),
    },
  };
}

const idOf = (kind: MetaKind, key: string): string => `${kind} ${key}`;
const nothing = async (): Promise<void> => undefined;
