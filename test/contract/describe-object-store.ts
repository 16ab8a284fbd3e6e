import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { collect } from "../support/running/collect.ts";

/** What every store of objects does. `open` gives an empty one. */
export function describeObjectStore(name: string, open: () => ObjectStore): void {
  describe(`${name} as a store of objects`, () => {
    it("gives back what was written", async () => {
      const store = open();
      expect(await store.putIfAbsent("a/b", Buffer.from("text"))).toBe("stored");
      expect(Buffer.from((await store.read("a/b")) ?? []).toString()).toBe("text");
    });

    it("keeps the first object of a key", async () => {
      const store = open();
      await store.putIfAbsent("a/b", Buffer.from("first"));
      expect(await store.putIfAbsent("a/b", Buffer.from("second"))).toBe("exists");
      expect(Buffer.from((await store.read("a/b")) ?? []).toString()).toBe("first");
    });

    it("stores one of two objects that are written at once", async () => {
      const store = open();
      const outcomes = await Promise.all(["x", "y"].map((text) => store.putIfAbsent("a/b", Buffer.from(text))));
      expect(outcomes.toSorted()).toEqual(["exists", "stored"]);
    });

    it("reads a part", async () => {
      const store = open();
      await store.putIfAbsent("a/b", Buffer.from("0123456789"));
      expect(Buffer.from((await store.read("a/b", { start: 2, end: 5 })) ?? []).toString()).toBe("234");
    });

    it("ends a part where the object ends", async () => {
      const store = open();
      await store.putIfAbsent("a/b", Buffer.from("0123456789"));
      expect(Buffer.from((await store.read("a/b", { start: 8, end: 99 })) ?? []).toString()).toBe("89");
      expect(await store.read("a/b", { start: 10, end: 12 })).toHaveLength(0);
      expect(await store.read("a/b", { start: 3, end: 3 })).toHaveLength(0);
    });

    it("keeps any bytes, and none", async () => {
      const store = open();
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      await store.putIfAbsent("a/b", bytes);
      await store.putIfAbsent("a/none", new Uint8Array());
      expect(Buffer.from((await store.read("a/b")) ?? [])).toEqual(Buffer.from(bytes));
      expect(await store.read("a/none")).toHaveLength(0);
    });

    it("has nothing under an unknown key", async () => {
      const store = open();
      expect(await store.read("a/b")).toBeUndefined();
      expect(await store.read("a/b", { start: 0, end: 1 })).toBeUndefined();
      expect(await collect(store.list("a/"))).toEqual([]);
      await expect(store.remove("a/b")).resolves.toBeUndefined();
    });

    it("lists the objects below a prefix in the order of their keys", async () => {
      const store = open();
      for (const key of ["b/1", "a/dt=2/x", "a/dt=1/y/z", "a/dt=1/y.parquet", "a/dt=10/x"]) {
        await store.putIfAbsent(key, Buffer.from("12"));
      }
      const keys = (await collect(store.list("a/"))).map(({ key }) => key);
      expect(keys).toEqual(["a/dt=1/y.parquet", "a/dt=1/y/z", "a/dt=10/x", "a/dt=2/x"]);
    });

    it("deletes an object", async () => {
      const store = open();
      await store.putIfAbsent("a/b", Buffer.from("text"));
      await store.remove("a/b");
      expect(await store.read("a/b")).toBeUndefined();
    });
  });
}
