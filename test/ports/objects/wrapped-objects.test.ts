import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { wrappedObjects } from "../../../src/ports/objects/wrapped-objects.ts";
import { describeObjectStore } from "../../contract/describe-object-store.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

describeObjectStore("objects in a store without changes", () => wrappedObjects(new MemoryObjects(), {}));

describe("a wrapped store", () => {
  it("does the changed operation in its own way, and the others as before", async () => {
    const store = new MemoryObjects();
    const wrapped = wrappedObjects(store, { remove: async () => undefined });
    await wrapped.putIfAbsent("a/b", Buffer.from("text"));
    await wrapped.remove("a/b");
    expect(Buffer.from((await store.read("a/b")) ?? []).toString()).toBe("text");
  });

  it("cannot erase versions of objects, unless it says how", () => {
    const store: ObjectStore = wrappedObjects(new MemoryObjects(), {
      erase: async () => undefined,
      eraseHidden: async () => 0,
    });
    expect(Object.keys(store)).toEqual(expect.arrayContaining(["erase", "eraseHidden"]));
    expect(Object.keys(wrappedObjects(store, {})).toSorted()).toEqual([
      "list",
      "name",
      "putIfAbsent",
      "read",
      "remove",
    ]);
  });
});
