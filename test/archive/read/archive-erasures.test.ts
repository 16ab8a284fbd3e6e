import { describe, expect, it } from "vitest";
import {
  decodeErasureFile,
  encodeErasureFile,
  type ErasedObject,
  type ErasureFile,
  erasureKey,
} from "../../../src/archive/layout/erasure-file.ts";
import type { ArchivedObject } from "../../../src/archive/layout/manifest.ts";
import {
  ArchiveErasures,
  ErasureFileInvalidError,
  readArchiveErasures,
} from "../../../src/archive/read/archive-erasures.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { NO_COUNTS } from "../../../src/log/erasure/erasure-record.ts";
import { scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { ofNamespace } from "../../support/erasure/erasure-scene.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const object = (name: string): ArchivedObject => ({ key: `jobs/${name}`, sha256: name.repeat(64), bytes: 1, rows: 1 });
const erasure = scopeOf({ target: ofNamespace, by: "alice", reason: "x", at: 1 }, { id: "erasure-1", salt: "s" });

function fileOf(objects: readonly ErasedObject[], hour = 495_000): ErasureFile {
  return { version: 1, erasure, counts: NO_COUNTS, hashes: "", objects, after: { kind: "hour", hour } };
}

function stored(id: string, objects: readonly ErasedObject[]) {
  return { key: erasureKey(id, 0), sha256: "", bytes: 1, file: fileOf(objects) };
}

const replaced = (from: ArchivedObject, to?: ArchivedObject): ErasedObject => ({
  key: from.key,
  sha256: from.sha256,
  ...(to && { remains: to }),
});

describe("an object of an archive", () => {
  const [a, b, c] = [object("a"), object("b"), object("c")];

  it("is where the last of several erasures has left it", () => {
    const erasures = new ArchiveErasures([
      stored("erasure-1", [replaced(a, b)]),
      stored("erasure-2", [replaced(b, c)]),
    ]);
    expect(erasures.now(a)).toEqual({
      outcome: "erased",
      by: ["erasures/erasure-1.json", "erasures/erasure-2.json"],
      object: c,
    });
    expect(erasures.now(c)).toEqual({ outcome: "unchanged", object: c });
  });

  it("may be gone", () => {
    expect(new ArchiveErasures([stored("erasure-1", [replaced(a)])]).now(a)).toEqual({
      outcome: "erased",
      by: ["erasures/erasure-1.json"],
    });
  });

  it("is not erased by the record of another object with its key", () => {
    const other = { ...b, key: a.key };
    expect(new ArchiveErasures([stored("erasure-1", [replaced(other)])]).now(a).outcome).toBe("unchanged");
  });

  it("is found at an end where forged records go round", () => {
    const erasures = new ArchiveErasures([
      stored("erasure-1", [replaced(a, b)]),
      stored("erasure-2", [replaced(b, a)]),
    ]);
    expect(erasures.now(a).outcome).toBe("erased");
  });
});

describe("the record of an erasure", () => {
  it("is read back", () => {
    const file = fileOf([replaced(object("a"), object("b"))]);
    expect(decodeErasureFile(encodeErasureFile(file))).toEqual({ outcome: "decoded", document: file });
  });

  it.each([
    ["text", "hello"],
    ["another version", JSON.stringify({ ...fileOf([]), version: 2 })],
    ["a key outside of the archive", JSON.stringify(fileOf([{ key: "../x", sha256: "a".repeat(64) }]))],
    ["a manifest", JSON.stringify(fileOf([{ key: "manifest/x", sha256: "a".repeat(64) }]))],
  ])("is none with %s", async (_, text) => {
    const store = new MemoryObjects(new Map([["erasures/erasure-1.json", Buffer.from(text)]]));
    await expect(readArchiveErasures(store)).rejects.toThrow(ErasureFileInvalidError);
  });

  it("that was added to hide a removed object is found, once a manifest should have it", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 1);
    await scene.archive(EIGHT + 4 * HOUR);
    const key = scene.store.keys.find((one) => one.startsWith("segments/")) ?? "";
    const { problems } = await verifyArchive(scene.store);
    expect(problems).toEqual([]);
    const { sha256Of } = await import("../../../src/archive/layout/manifest.ts");
    const sha256 = sha256Of(scene.store.objects.get(key) ?? Buffer.of());
    await scene.store.remove(key);
    const forged = fileOf([{ key, sha256 }], EIGHT / HOUR);
    await scene.store.putIfAbsent("erasures/forged-1.json", encodeErasureFile(forged));
    const found = await verifyArchive(scene.store);
    expect(found.problems).toMatchObject([{ key: "erasures/forged-1.json", problem: "unlisted" }]);
  });
});
