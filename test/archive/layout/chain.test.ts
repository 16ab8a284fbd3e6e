import { describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { listChain, nextName, readLink } from "../../../src/archive/layout/chain.ts";
import { decodeManifest, encodeManifest, type Manifest, sha256Of } from "../../../src/archive/layout/manifest.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";

const eleven = hourOf(Date.UTC(2026, 10, 21, 23));
const manifest: Manifest = {
  version: 1,
  archive: "a",
  hour: "2026-11-21T23:00:00Z",
  kind: "hour",
  previous: "",
  objects: [],
  counts: { segments: 0, facts: 0, jobs: 0, attempts: 0 },
};

describe("the chain", () => {
  it("continues with the compaction after the last hour of a day", () => {
    expect(nextName({ kind: "hour", hour: eleven - 1 })).toEqual({ kind: "hour", hour: eleven });
    expect(nextName({ kind: "hour", hour: eleven })).toEqual({ kind: "day", hour: eleven });
    expect(nextName({ kind: "day", hour: eleven })).toEqual({ kind: "hour", hour: eleven + 1 });
  });

  it("is listed in its order", async () => {
    const names = [
      { kind: "hour", hour: eleven },
      { kind: "day", hour: eleven },
      { kind: "hour", hour: eleven + 1 },
    ] as const;
    const store = new MemoryObjects(new Map(names.toReversed().map((name) => [manifestKey(name), Buffer.of()])));
    expect(await listChain(store)).toEqual(names);
  });
});

describe("a manifest", () => {
  const name = { kind: "hour", hour: eleven } as const;

  it("is read with its hash", async () => {
    const bytes = encodeManifest(manifest);
    const store = new MemoryObjects(new Map([[manifestKey(name), bytes]]));
    expect(await readLink(store, name)).toEqual({ name, manifest, sha256: sha256Of(bytes) });
  });

  it.each([
    ["it is missing", new Map()],
    ["it is the manifest of 2026-11-21T23:00:00Z (hour)", new Map([["hour=22", encodeManifest(manifest)]])],
    ["Invalid", new Map([["hour=22", Buffer.from("{}")]])],
  ])("cannot be read if %s", async (reason, objects: ReadonlyMap<string, Uint8Array>) => {
    const before = { kind: "hour", hour: eleven - 1 } as const;
    const store = new MemoryObjects(new Map([...objects.values()].map((bytes) => [manifestKey(before), bytes])));
    await expect(readLink(store, before)).rejects.toThrow(reason);
  });

  it("is rejected if a hash is none", () => {
    const decoded = decodeManifest(encodeManifest({ ...manifest, previous: "abc" }));
    expect(decoded).toMatchObject({ outcome: "rejected" });
  });
});
