import { describe, expect, it } from "vitest";
import { ArchiveBudgetError, boundedObjects, type ReadBudget } from "../../../src/archive/read/bounded-objects.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const AMPLE: ReadBudget = { requests: 100, bytes: 100, millis: 60_000 };

function archive(): MemoryObjects {
  return new MemoryObjects(new Map([1, 2, 3].map((n) => [`a/${n}`, Buffer.alloc(10, n)])));
}

describe("the objects that one request reads", () => {
  it("are those of the archive", async () => {
    const objects = boundedObjects(archive(), AMPLE);
    expect(await objects.read("a/2", { start: 8, end: 10 })).toEqual(Buffer.of(2, 2));
    expect(await objects.read("a/4")).toBeUndefined();
    expect(await collect(objects.list("a/"))).toHaveLength(3);
  });

  it.each([
    ["requests", { ...AMPLE, requests: 2 }, "2 requests"],
    ["bytes", { ...AMPLE, bytes: 25 }, "25 bytes"],
  ])("end at their %s", async (_, budget, limit) => {
    const objects = boundedObjects(archive(), budget);
    await objects.read("a/1");
    await objects.read("a/2");
    await expect(objects.read("a/3")).rejects.toThrow(limit);
    await expect(objects.read("a/3")).rejects.toBeInstanceOf(ArchiveBudgetError);
  });

  it("count a list as one request for each page of S3", async () => {
    const many = new MemoryObjects(new Map(Array.from({ length: 1_001 }, (_, n) => [`a/${n}`, Buffer.of(0)])));
    expect(await collect(boundedObjects(many, { ...AMPLE, requests: 2 }).list("a/"))).toHaveLength(1_001);
    await expect(collect(boundedObjects(many, { ...AMPLE, requests: 1 }).list("a/"))).rejects.toThrow("1 requests");
  });

  it("end at their time", async () => {
    let now = 0;
    const objects = boundedObjects(archive(), AMPLE, () => now);
    await objects.read("a/1");
    now = 60_000;
    await expect(objects.read("a/2")).rejects.toThrow("60 seconds");
  });

  it("end at their time, also where the store does not answer", async () => {
    const silent: ObjectStore = { ...bound(archive()), read: () => new Promise(() => {}) };
    await expect(boundedObjects(silent, { ...AMPLE, millis: 1 }).read("a/1")).rejects.toThrow("0.001 seconds");
  });

  it("cannot be written and removed", async () => {
    const objects = boundedObjects(archive(), AMPLE);
    await expect(objects.putIfAbsent("a/4", Buffer.of(0))).rejects.toThrow("open for reading");
    await expect(objects.remove("a/1")).rejects.toThrow("open for reading");
  });
});

function bound(store: MemoryObjects) {
  return {
    name: store.name,
    list: store.list.bind(store),
    putIfAbsent: store.putIfAbsent.bind(store),
    remove: store.remove.bind(store),
  };
}
