import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFolderObjects, InvalidObjectKeyError } from "../../src/folder/folder-objects.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";
import { describeObjectStore } from "../contract/describe-object-store.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryObjects } from "../support/stores/memory-objects.ts";

let folder: string;
let store: ObjectStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-objects-"));
  store = createFolderObjects(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describeObjectStore("a folder", () => store);
describeObjectStore("objects in memory", () => new MemoryObjects());

describe("a folder of objects", () => {
  it("does not list files that a crash left unfinished", async () => {
    await store.putIfAbsent("jobs/a", Buffer.from("a"));
    writeFileSync(join(folder, "jobs", ".unfinished-1"), "b");
    expect(await collect(store.list("jobs/"))).toEqual([{ key: "jobs/a", bytes: 1 }]);
  });

  it.each(["../outside", "a/../../outside", "/outside", "a\\..\\outside", "a/\0"])(
    "neither reads, writes nor deletes %j",
    async (key) => {
      const inner = createFolderObjects(join(folder, "inner"));
      mkdirSync(join(folder, "inner", "a"), { recursive: true });
      writeFileSync(join(folder, "outside"), "secret");
      await expect(inner.read(key)).rejects.toThrow(InvalidObjectKeyError);
      await expect(inner.read(key, { start: 0, end: 1 })).rejects.toThrow(InvalidObjectKeyError);
      await expect(inner.putIfAbsent(key, Buffer.from("a"))).rejects.toThrow(InvalidObjectKeyError);
      await expect(inner.remove(key)).rejects.toThrow(InvalidObjectKeyError);
      expect(existsSync(join(folder, "outside"))).toBe(true);
    },
  );

  it("leaves no other file behind, even if the key is taken", async () => {
    await store.putIfAbsent("jobs/a", Buffer.from("a"));
    await store.putIfAbsent("jobs/a", Buffer.from("b"));
    expect(readdirSync(join(folder, "jobs"))).toEqual(["a"]);
  });
});
