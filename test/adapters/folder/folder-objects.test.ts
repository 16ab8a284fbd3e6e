import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  createFolderObjects,
  InvalidObjectKeyError,
  ObjectFileError,
} from "../../../src/adapters/folder/folder-objects.ts";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import { describeObjectStore } from "../../contract/describe-object-store.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

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

  describe.each([
    ["ENOSPC", "the disk is full (ENOSPC). Free space, then repeat the command: what it has written is kept."],
    ["EDQUOT", "the disk quota is used up (EDQUOT). Raise it or delete files, then repeat the command."],
  ])("on a disk that answers %s", (code, advice) => {
    beforeEach(async () => {
      const file = await open(join(folder, "any"), "w");
      await file.close();
      const failing = vi.spyOn(Object.getPrototypeOf(file) as typeof file, "writeFile");
      failing.mockRejectedValueOnce(Object.assign(new Error(code), { code }));
    });
    afterEach(() => vi.restoreAllMocks());

    it("names the object that was not written, and says what to do", async () => {
      const error = new ObjectFileError(`Cannot write object jobs/a to ${folder}: ${advice}`);
      await expect(store.putIfAbsent("jobs/a", Buffer.from("a"))).rejects.toThrow(error);
    });

    it("deletes what it wrote of the object, which can be written again", async () => {
      await expect(store.putIfAbsent("jobs/a", Buffer.from("a"))).rejects.toThrow(ObjectFileError);
      expect(readdirSync(join(folder, "jobs"))).toEqual([]);
      expect(await store.putIfAbsent("jobs/a", Buffer.from("a"))).toBe("stored");
    });
  });

  it("names an object that is too large to be read, and reads a part of it", async () => {
    await store.putIfAbsent("jobs/a", Buffer.from("abc"));
    truncateSync(join(folder, "jobs", "a"), 10 * 1_024 ** 3);
    await expect(store.read("jobs/a")).rejects.toThrow(
      `Cannot read object jobs/a of ${folder}: the file has more than`,
    );
    expect(Buffer.from((await store.read("jobs/a", { start: 1, end: 3 })) ?? [])).toEqual(Buffer.from("bc"));
  });
});
