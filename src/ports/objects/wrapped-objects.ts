import type { ObjectStore } from "../object-store.ts";

/**
 * A store that changes some operations and passes the others on. `erase` and `eraseHidden` are never passed on: a
 * wrapper must define them itself to delete versions of objects.
 */
export function wrappedObjects(store: ObjectStore, changed: Partial<ObjectStore>): ObjectStore {
  return {
    name: store.name,
    read: (key, range) => store.read(key, range),
    list: (prefix) => store.list(prefix),
    putIfAbsent: (key, bytes) => store.putIfAbsent(key, bytes),
    remove: (key) => store.remove(key),
    ...changed,
  };
}
