import { describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { firstLink, listChain, nextName, readLink } from "../../../src/archive/layout/chain.ts";
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

  it("begins with the last hour of a day, whose key follows that of the day", async () => {
    const bytes = encodeManifest(manifest);
    const day: Manifest = { ...manifest, kind: "day", previous: sha256Of(bytes) };
    const store = new MemoryObjects(
      new Map([
        [manifestKey({ kind: "day", hour: eleven }), encodeManifest(day)],
        [manifestKey({ kind: "hour", hour: eleven }), bytes],
      ]),
    );
    expect(await firstLink(store)).toMatchObject({ name: { kind: "hour", hour: eleven } });
  });

  it("is refused if its first hour is missing", async () => {
    const day: Manifest = { ...manifest, kind: "day", previous: "0".repeat(64) };
    const name = { kind: "day", hour: eleven } as const;
    const store = new MemoryObjects(new Map([[manifestKey(name), encodeManifest(day)]]));
    await expect(firstLink(store)).rejects.toThrow("it is the oldest manifest");
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

  const object = { sha256: "0".repeat(64), bytes: 1, rows: 1 };
  const hourPart = "jobs/dt=2026-11-21/cluster=east/part-0-h08.parquet";

  it.each(["../../etc/passwd", "segments/../../id_rsa", "/etc/passwd", "jobs//a", ""])(
    "is rejected if it has the object %j",
    (key) => {
      const decoded = decodeManifest(encodeManifest({ ...manifest, objects: [{ ...object, key }] }));
      expect(decoded).toMatchObject({
        outcome: "rejected",
        reason: expect.stringContaining("objects.0.key") as string,
      });
    },
  );

  it.each([
    "../../etc/passwd",
    "jobs/../../part-0-h08.parquet",
    "manifest/dt=2026-11-21/hour=08/manifest.json",
    "segments/dt=2026-11-21/hour=08/00.seg",
    "jobs/dt=2026-11-21/cluster=east/part-0.parquet",
    "jobs/dt=2026-11-21/cluster=east/part-0-1.parquet",
  ])("is rejected if it replaces %s, which would be deleted", (key) => {
    const decoded = decodeManifest(encodeManifest({ ...manifest, kind: "day", replaces: [hourPart, key] }));
    expect(decoded).toMatchObject({ outcome: "rejected", reason: expect.stringContaining("replaces.1") as string });
  });

  it.each([
    hourPart,
    "facts/dt=2026-11-21/cluster=a/part-12-h23-4.parquet",
    "jobs/dt=2026-11-21/cluster=a/part-0-h08-1234abcd.parquet",
  ])("may replace the part %s of an hour", (key) => {
    const decoded = decodeManifest(encodeManifest({ ...manifest, kind: "day", replaces: [key] }));
    expect(decoded.outcome).toBe("decoded");
  });

  it("is rejected if a hash is none", () => {
    const decoded = decodeManifest(encodeManifest({ ...manifest, previous: "abc" }));
    expect(decoded).toMatchObject({ outcome: "rejected" });
  });
});
