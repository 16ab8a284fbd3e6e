import { describe, expect, it } from "vitest";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { knownOf, scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { saltedHash } from "../../../src/log/erasure/salted-names.ts";
import {
  announce,
  erasuresOf,
  erasuresVersion,
  KNOWN_FOR_MS,
  listErasures,
  storeHashes,
  storeLateHash,
} from "../../../src/log/erasure/stored-erasures.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { EIGHT } from "../../support/archive/archive-scene.ts";
import { storeErasure } from "../../support/erasure/archived-erasure.ts";
import { cluster, ofNamespace } from "../../support/erasure/erasure-scene.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const salt = "c2FsdHNhbHRzYWx0c2FsdA";

function erasureNamed(id: string): Erasure {
  return new Erasure(scopeOf({ target: ofNamespace, at: EIGHT, by: "alice", reason: "x" }, { id, salt }));
}

const erasure = erasureNamed("erasure-1");

describe("a stored erasure", () => {
  it("has what it learned, also in more hashes than one record has, and later ones", async () => {
    const meta = new MemoryMetaStore();
    await storeErasure(meta, erasure);
    const hashes = Array.from({ length: 40_000 }, (_, index) => saltedHash(salt, "uid", `uid-${index}`));
    expect(await storeHashes(meta, "erasure-1", { hashes })).toBe(3);
    await storeLateHash(meta, "erasure-1", saltedHash(salt, "uid", "late"));
    const [stored] = await listErasures(meta);
    expect(stored?.erasure.known.size).toBe(40_001);
    expect(["uid-0", "uid-39999", "late"].every((uid) => stored?.erasure.isErasedJob(cluster, uid))).toBe(true);
    expect(stored?.erasure.isErasedJob(cluster, "uid-40000")).toBe(false);
  });

  it("does not take hashes of another erasure whose id begins like its own", async () => {
    const meta = new MemoryMetaStore();
    await storeErasure(meta, erasure);
    await storeHashes(meta, "erasure-12", { hashes: [saltedHash(salt, "uid", "a")] });
    expect((await listErasures(meta))[0]?.erasure.known.size).toBe(0);
  });
});

describe("the erasures of a store", () => {
  it("are none without a record", async () => {
    expect((await erasuresOf(new MemoryMetaStore())).erasures).toEqual([]);
  });

  it("are read again after an announcement, once the known ones are old", async () => {
    const meta = new MemoryMetaStore();
    const otherProcess: MetaStore = {
      read: (kind, key) => meta.read(kind, key),
      write: (kind, key, record) => meta.write(kind, key, record),
      list: (kind, range) => meta.list(kind, range),
    };
    await erasuresOf(otherProcess, 0);
    await storeErasure(meta, erasure);
    expect((await erasuresOf(otherProcess, KNOWN_FOR_MS - 1)).erasures).toEqual([]);
    expect((await erasuresOf(otherProcess, KNOWN_FOR_MS)).erasures).toHaveLength(1);
  });

  it("are known at once to the process that announces them", async () => {
    const meta = new MemoryMetaStore();
    await erasuresOf(meta, 0);
    await storeErasure(meta, erasure);
    expect((await erasuresOf(meta, 1)).erasures).toHaveLength(1);
  });

  it("have a version that rises with each announcement", async () => {
    const meta = new MemoryMetaStore();
    await announce(meta);
    await announce(meta);
    expect(await erasuresVersion(meta)).toBe(2);
  });

  it("know nothing of a uid that was not learned", () => {
    expect(knownOf(ofNamespace, salt)).toEqual([]);
    expect(new Erasure(scopeOf({ target: ofNamespace, at: 1, by: "", reason: "" }, { id: "e", salt })).known.size).toBe(
      0,
    );
  });
});
