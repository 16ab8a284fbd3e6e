import type { ObjectEntry, ObjectStore } from "../../ports/object-store.ts";
import { wrappedObjects } from "../../ports/objects/wrapped-objects.ts";

/**
 * An archive as it will be after it was copied into another one: objects of `to` are read first, and all writes go to
 * `to`. Removing an object leaves it in `from`.
 */
export function joinedObjects({ from, to }: { readonly from: ObjectStore; readonly to: ObjectStore }): ObjectStore {
  return wrappedObjects(to, {
    read: async (key, range) => (await to.read(key, range)) ?? from.read(key, range),
    list: (prefix) => merged(from.list(prefix), to.list(prefix)),
    remove: async (key) => {
      // A restore may have no permission to delete, and a new archive has nothing to delete.
      if ((await to.read(key, { start: 0, end: 1 })) === undefined) return;
      await (to.erase?.(key) ?? to.remove(key));
    },
  });
}

/** The entries of both, in order of their keys. An entry of `second` replaces one with the same key. */
async function* merged(
  first: AsyncIterable<ObjectEntry>,
  second: AsyncIterable<ObjectEntry>,
): AsyncGenerator<ObjectEntry> {
  const others = second[Symbol.asyncIterator]();
  let other = await others.next();
  for await (const entry of first) {
    while (other.done !== true && compareKeys(other.value, entry) < 0) {
      yield other.value;
      other = await others.next();
    }
    if (other.done === true || compareKeys(other.value, entry) !== 0) yield entry;
  }
  for (; other.done !== true; other = await others.next()) yield other.value;
}

/** In order of the UTF-8 bytes, as a store lists them. */
function compareKeys(a: ObjectEntry, b: ObjectEntry): number {
  return Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
}
