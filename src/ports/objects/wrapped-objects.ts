import type { ObjectStore } from "../object-store.ts";

/**
 * A store that does some operations in another way, and passes the others on. `erase` and `eraseHidden` are never
 * passed on: only a wrapper that has its own deletes versions of objects.
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
