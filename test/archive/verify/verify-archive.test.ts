import { beforeEach, describe, expect, it, vi } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { decodeManifest, encodeManifest, type Manifest, sha256Of } from "../../../src/archive/layout/manifest.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import type { MemoryObjects } from "../../support/stores/memory-objects.ts";

let store: MemoryObjects;
beforeEach(async () => {
  const scene = new ArchiveScene();
  for (const [hour, name] of ["a", "b", "c"].entries()) {
    const createdAt = EIGHT + hour * HOUR;
    await scene.tracker.tell(endedJob({ name, createdAt }), createdAt + 4 * MINUTE);
  }
  await scene.archive(EIGHT + 3 * HOUR + 10 * MINUTE);
  ({ store } = scene);
});

const keyOf = (part: string): string => store.keys.find((key) => key.includes(part)) ?? part;
const hourKey = (hour: number): string => manifestKey({ kind: "hour", hour: hourOf(EIGHT) + hour - 8 });

async function found(head?: string): Promise<readonly string[]> {
  const { problems } = await verifyArchive(store, { ...(head !== undefined && { head }) });
  return problems.map(({ problem, key }) => `${problem} ${key}`);
}

function rewrite(key: string, change: (manifest: Manifest) => Manifest): void {
  const decoded = decodeManifest(store.objects.get(key) ?? Buffer.of());
  if (decoded.outcome === "decoded") store.objects.set(key, encodeManifest(change(decoded.document)));
}

describe("an archive that is whole", () => {
  it("has no problems, and a head", async () => {
    const head = sha256Of(store.objects.get(hourKey(10)) ?? Buffer.of());
    expect(await verifyArchive(store)).toEqual({ hours: 3, objects: 12, problems: [], erased: [], head });
  });

  it("still has a head that was noted earlier", async () => {
    expect(await found(sha256Of(store.objects.get(hourKey(9)) ?? Buffer.of()))).toEqual([]);
  });
});

describe("a problem of an archive", () => {
  it.each(["jobs/", "attempts/", "facts/", "segments/"])("is a missing object of %s", async (folder) => {
    const key = keyOf(folder);
    store.objects.delete(key);
    expect(await found()).toEqual([`missing ${key}`]);
  });

  it.each(["jobs/", "segments/"])("is one changed byte of an object of %s", async (folder) => {
    const key = keyOf(folder);
    const bytes = Buffer.from(store.objects.get(key) ?? []);
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
    store.objects.set(key, bytes);
    expect(await found()).toEqual([`changed ${key}`]);
  });

  it("is an object that became larger than memory, of which no more is read than its manifest says", async () => {
    const key = keyOf("segments/");
    const length = store.objects.get(key)?.length ?? 0;
    const read = store.read.bind(store);
    vi.spyOn(store, "read").mockImplementation(async (name, range) => {
      if (name !== key) return read(name, range);
      expect(range).toEqual({ start: 0, end: length + 1 });
      return Buffer.alloc(length + 1);
    });
    expect(await found()).toEqual([`changed ${key}`]);
  });

  it("is a truncated part", async () => {
    const key = keyOf("jobs/");
    store.objects.set(key, (store.objects.get(key) ?? Buffer.of()).slice(0, -5));
    expect(await found()).toEqual([`changed ${key}`]);
  });

  it("is a truncated part that its forged manifest has", async () => {
    const key = keyOf("jobs/dt=2026-11-21/cluster=east/part-0-h10");
    const bytes = (store.objects.get(key) ?? Buffer.of()).slice(0, -5);
    store.objects.set(key, bytes);
    rewrite(hourKey(10), (manifest) => ({
      ...manifest,
      objects: manifest.objects.map((object) =>
        object.key === key ? { ...object, sha256: sha256Of(bytes), bytes: bytes.length } : object,
      ),
    }));
    expect(await found()).toEqual([`changed ${key}`]);
  });

  it("is a missing hour", async () => {
    store.objects.delete(hourKey(9));
    expect(await found()).toEqual([
      `missing ${hourKey(9)}`,
      `broken chain ${hourKey(10)}`,
      ...store.keys
        .filter((key) => key.includes("h09") || key.includes("hour=09"))
        .map((key) => `unlisted ${key}`)
        .sort(byFolder),
    ]);
  });

  it("is a forged manifest", async () => {
    rewrite(hourKey(9), (manifest) => ({ ...manifest, counts: { ...manifest.counts, jobs: 7 } }));
    expect(await found()).toEqual([`broken chain ${hourKey(10)}`]);
  });

  it("is a pair of manifests in each other's place", async () => {
    const [nine, ten] = [store.objects.get(hourKey(9)), store.objects.get(hourKey(10))];
    store.objects.set(hourKey(9), ten ?? Buffer.of()).set(hourKey(10), nine ?? Buffer.of());
    expect(await found()).toEqual(expect.arrayContaining([`invalid ${hourKey(9)}`, `invalid ${hourKey(10)}`]));
  });

  it("is a manifest of another stage", async () => {
    rewrite(hourKey(10), (manifest) => ({ ...manifest, archive: "staging" }));
    expect(await found()).toEqual([`foreign ${hourKey(10)}`]);
  });

  it("is a manifest that is none", async () => {
    store.objects.set(hourKey(8), Buffer.from("{"));
    expect(await found()).toContain(`invalid ${hourKey(8)}`);
  });

  it("is a first manifest that is not the first", async () => {
    store.objects.delete(hourKey(8));
    expect(await found()).toContain(`broken chain ${hourKey(9)}`);
  });

  it("is an object that was added", async () => {
    store.objects.set("jobs/dt=2026-11-21/cluster=east/part-0-h08-9.parquet", Buffer.from("x"));
    expect(await found()).toEqual(["unlisted jobs/dt=2026-11-21/cluster=east/part-0-h08-9.parquet"]);
  });

  it("is a chain whose end was removed, if its head was noted", async () => {
    const head = sha256Of(store.objects.get(hourKey(10)) ?? Buffer.of());
    for (const key of store.keys.filter((one) => /h10|hour=10/.test(one))) store.objects.delete(key);
    expect(await found()).toEqual([]);
    expect(await found(head)).toEqual(["missing manifest/"]);
  });

  it("is not what the next hour has written so far", async () => {
    store.objects.set("jobs/dt=2026-11-21/cluster=east/part-0-h11.parquet", Buffer.from("x"));
    store.objects.set("segments/dt=2026-11-21/hour=11/x.seg", Buffer.from("x"));
    expect(await found()).toEqual([]);
  });
});

/** The order in which folders are searched. */
function byFolder(a: string, b: string): number {
  const folders = ["segments", "jobs", "attempts", "facts"];
  const rank = (text: string): number => folders.findIndex((folder) => text.includes(` ${folder}/`));
  return rank(a) - rank(b);
}
