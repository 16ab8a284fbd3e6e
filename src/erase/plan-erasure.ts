import { eraseArchive } from "../archive/erase/erase-archive.ts";
import type { Eraser } from "../ports/erasing/eraser.ts";
import type { MetaKind } from "../ports/meta.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { wrappedObjects } from "../ports/objects/wrapped-objects.ts";
import { Erasure } from "../erasure/erasure.ts";
import type { ErasureCounts } from "../erasure/erasure-record.ts";
import { type ErasureRequest, knownOf, scopeOf } from "./erasure-target.ts";
import { eraseRecords, type RecordStores } from "./erase-records.ts";
import { eraseSubjects, type SubjectStores } from "./erase-views.ts";
import { eraseSetAside } from "./erase-set-aside.ts";
import { gather, type GatherStores } from "./gather.ts";
import { newSalt } from "../erasure/salted-names.ts";

/** Counts what an erasure would remove, in the steps of the erasure itself, and changes nothing. */
export async function planErasure(stores: PlanStores, request: ErasureRequest): Promise<ErasureCounts> {
  const { cluster } = request.target;
  const salt = newSalt();
  const scope = scopeOf(request, { id: "planned-erasure", salt });
  const erasure = new Erasure(scope, knownOf(request.target, salt));
  const gathered = await gather(stores, erasure, cluster);
  const unchanging = unchangingStores(stores);
  const records = await eraseRecords(unchanging, erasure, cluster);
  const messages = await eraseSetAside({ meta: unchanging.meta }, erasure);
  const subjects = await eraseSubjects(unchanging, erasure, cluster);
  const counts = { ...gathered, records: records + messages + subjects, objects: 0 };
  if (stores.archive === undefined) return counts;
  const archive = { store: unchangingObjects(stores.archive), noteFile: async () => undefined };
  return { ...counts, objects: (await eraseArchive(archive, erasure, counts)).objects };
}

export interface PlanStores extends GatherStores {
  readonly eraser: Pick<Eraser, "storedJobs" | "notices" | "metrics">;
}

/** Stores that write and remove nothing. A record that would be removed is not returned again. */
function unchangingStores({ meta, eraser: { notices, metrics } }: PlanStores): SubjectStores & RecordStores {
  const removed = new Set<string>();
  return {
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

/** An object store that writes and removes nothing, but behaves as if it did. */
function unchangingObjects(store: ObjectStore): ObjectStore {
  return wrappedObjects(store, { putIfAbsent: async () => "stored", remove: async () => undefined });
}
