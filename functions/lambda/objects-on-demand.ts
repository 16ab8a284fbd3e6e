import type { ObjectStore } from "../../src/ports/object-store.ts";

/**
 * Objects for functions that seldom use them: S3's client is loaded with the first request, and not whenever the
 * function starts.
 */
export function objectsOnDemand(name: string, openStore: () => Promise<ObjectStore>): ObjectStore {
  let opened: Promise<ObjectStore> | undefined;
  const open = (): Promise<ObjectStore> => {
    opened ??= openStore();
    return opened;
  };
  return {
    name,
    putIfAbsent: async (key, bytes) => (await open()).putIfAbsent(key, bytes),
    read: async (key, range) => (await open()).read(key, range),
    list: async function* listed(prefix) {
      yield* (await open()).list(prefix);
    },
    remove: async (key) => (await open()).remove(key),
  };
}
