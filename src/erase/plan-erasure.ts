import { eraseArchive } from "../archive/erase/erase-archive.ts";
import type { Eraser } from "../ports/erasing/eraser.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { wrappedObjects } from "../ports/objects/wrapped-objects.ts";
import { Erasure } from "../erasure/erasure.ts";
import type { ErasureCounts } from "../erasure/erasure-record.ts";
import { type ErasureRequest, knownOf, scopeOf } from "./erasure-target.ts";
import { eraseRecords } from "./erase-records.ts";
import { eraseSetAside } from "./erase-set-aside.ts";
import { gather, type GatherStores } from "./gather.ts";
import { newSalt } from "../erasure/salted-names.ts";

/** Counts what an erasure would remove, and changes nothing. Messages and metrics are not among the records. */
export async function planErasure(stores: GatherStores, request: ErasureRequest): Promise<ErasureCounts> {
  const { cluster } = request.target;
  const salt = newSalt();
  const scope = scopeOf(request, { id: "planned-erasure", salt });
  const erasure = new Erasure(scope, knownOf(request.target, salt));
  const gathered = await gather(stores, erasure, cluster);
  const meta = readOnly(stores.meta);
  const records = await eraseRecords({ meta, eraser: REMOVES_NOTHING }, erasure, cluster);
  const messages = await eraseSetAside({ meta }, erasure);
  const counts = { ...gathered, records: records + messages, objects: 0 };
  if (stores.archive === undefined) return counts;
  const archive = { store: unchangingObjects(stores.archive), noteFile: async () => undefined };
  return { ...counts, objects: (await eraseArchive(archive, erasure, counts)).objects };
}

const REMOVES_NOTHING: Pick<Eraser, "removeRecord"> = { removeRecord: async () => undefined };

function readOnly(meta: MetaStore): MetaStore {
  return {
    read: (kind, key) => meta.read(kind, key),
    list: (kind, range) => meta.list(kind, range),
    write: async () => ({ outcome: "conflict" }),
  };
}

/** Nothing is written or removed, as if it had been. */
function unchangingObjects(store: ObjectStore): ObjectStore {
  return wrappedObjects(store, { putIfAbsent: async () => "stored", remove: async () => undefined });
}
