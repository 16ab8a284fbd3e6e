import { eraseArchive } from "../archive/erase/erase-archive.ts";
import type { Eraser } from "../ports/erasing/eraser.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import { Erasure } from "./erasure.ts";
import type { ErasureCounts } from "./erasure-record.ts";
import { type ErasureRequest, knownOf, scopeOf } from "./erasure-target.ts";
import { eraseRecords } from "./erase-records.ts";
import { eraseSetAside } from "./erase-set-aside.ts";
import { gather, type GatherStores } from "./gather.ts";
import { newSalt } from "./salted-names.ts";

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
  return { ...counts, objects: (await eraseArchive(readOnlyObjects(stores.archive), erasure, counts)).objects };
}

const REMOVES_NOTHING: Pick<Eraser, "removeRecord"> = { removeRecord: async () => undefined };

function readOnly(meta: MetaStore): MetaStore {
  return {
    read: (kind, key) => meta.read(kind, key),
    list: (kind, range) => meta.list(kind, range),
    write: async () => ({ outcome: "conflict" }),
  };
}

function readOnlyObjects(store: ObjectStore): ObjectStore {
  return {
    name: store.name,
    read: (key, range) => store.read(key, range),
    list: (prefix) => store.list(prefix),
    putIfAbsent: async () => "exists",
    remove: async () => undefined,
  };
}
