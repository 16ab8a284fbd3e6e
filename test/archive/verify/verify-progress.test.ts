import { beforeEach, describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { listChain, readLink } from "../../../src/archive/layout/chain.ts";
import { decodeErasureFile, encodeErasureFile, erasureKey } from "../../../src/archive/layout/erasure-file.ts";
import { sha256Of } from "../../../src/archive/layout/manifest.ts";
import { verifiedUntil, verifyProgress } from "../../../src/archive/verify/verify-progress.ts";
import {
  type ErasureFileName,
  type ErasureRecord,
  erasureRecord,
  NO_COUNTS,
} from "../../../src/log/erasure/erasure-record.ts";
import { scopeOf } from "../../../src/log/erasure/erasure-target.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { ofNamespace } from "../../support/erasure/erasure-scene.ts";

let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
});

const ports = () => ({ store: scene.store, meta: scene.tracker.ports.meta });
const until = () => verifiedUntil(scene.tracker.ports.meta);
const objectOf = (folder: string): string => scene.store.keys.find((key) => key.startsWith(folder)) ?? "";

describe("the verification of an archive that grows", () => {
  it("has nothing to verify before the first hour", async () => {
    expect(await verifyProgress(ports())).toEqual({ links: 0, problems: [] });
    expect(await until()).toBeUndefined();
  });

  it("verifies each link once, also the compaction of a day", async () => {
    await scene.archive(EIGHT + 3 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 2, problems: [] });
    expect(await until()).toBe(EIGHT + 2 * HOUR);
    await scene.archive(EIGHT + 17 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 15, problems: [] });
    expect(await until()).toBe(EIGHT + 16 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 0, problems: [] });
  });

  it("continues where the time was up", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    const left = [true, true, false];
    expect(await verifyProgress(ports(), { hasTime: () => left.shift() ?? false })).toMatchObject({ links: 2 });
    expect(await until()).toBe(EIGHT + 2 * HOUR);
    expect(await verifyProgress(ports())).toMatchObject({ links: 1 });
    expect(await verifyProgress(ports(), { hasTime: () => false })).toMatchObject({ links: 0 });
  });

  it.each(["segments/", "jobs/", "attempts/", "facts/"])("stops at a changed object of %s", async (folder) => {
    await scene.archive(EIGHT + 3 * HOUR);
    scene.store.objects.set(objectOf(folder), Buffer.from("changed"));
    const { links, problems } = await verifyProgress(ports());
    expect([links, problems.map(({ key, problem }) => [key, problem])]).toEqual([0, [[objectOf(folder), "changed"]]]);
    expect(await until()).toBeUndefined();
  });

  it("does not continue a chain whose verified end was changed or removed", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await verifyProgress(ports());
    await scene.archive(EIGHT + 3 * HOUR);
    const key = manifestKey({ kind: "hour", hour: hourOf(EIGHT) });
    const bytes = scene.store.objects.get(key) ?? Buffer.of();
    scene.store.objects.set(manifestKey({ kind: "hour", hour: hourOf(EIGHT) + 1 }), bytes);
    expect((await verifyProgress(ports())).problems).toHaveLength(1);
    scene.store.objects.delete(key);
    expect((await verifyProgress(ports())).problems).toMatchObject([{ key, problem: "missing" }]);
    expect(await until()).toBe(EIGHT + HOUR);
  });

  it("keeps what another run has verified meanwhile", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    const runs = await Promise.all([verifyProgress(ports()), verifyProgress(ports())]);
    expect(runs.map(({ problems }) => problems)).toEqual([[], []]);
    expect(await until()).toBe(EIGHT + 3 * HOUR);
  });
});

const SCOPE = scopeOf({ target: ofNamespace, by: "x", reason: "x", at: EIGHT }, { id: "erasure-1", salt: "s" });
const FILE = erasureKey(SCOPE.id, 0);

/** Claims that an object was erased, and removes it. */
async function claimErased(folder = "segments/"): Promise<void> {
  const key = objectOf(folder);
  const sha256 = sha256Of(scene.store.objects.get(key) ?? Buffer.of());
  const hours = await listChain(scene.store);
  const after = hours.at(-1) ?? { kind: "hour", hour: 0 };
  const file = {
    version: 1,
    erasure: SCOPE,
    counts: NO_COUNTS,
    hashes: "",
    objects: [{ key, sha256 }],
    after,
  } as const;
  scene.store.objects.set(FILE, encodeErasureFile(file));
  scene.store.objects.delete(key);
}

describe("an erasure that no manifest lists", () => {
  it("does not hide a missing object: nothing further is verified, and the archive is not damaged", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await claimErased();
    expect(await verifyProgress(ports())).toEqual({ links: 0, problems: [] });
    expect(await until()).toBeUndefined();
  });

  it("does not hide another problem", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await claimErased();
    scene.store.objects.set(objectOf("jobs/"), Buffer.from("changed"));
    const { problems } = await verifyProgress(ports());
    expect(problems.map(({ problem }) => problem).sort()).toEqual(["changed", "missing"]);
  });

  it("explains the missing object as soon as a manifest lists it, with its bytes", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await claimErased();
    await recordErasure();
    await scene.archive(EIGHT + 3 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 2, problems: [] });
    expect(await until()).toBe(EIGHT + 2 * HOUR);
  });

  it("that differs from the one in the manifest explains nothing", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await claimErased();
    await recordErasure();
    await scene.archive(EIGHT + 3 * HOUR);
    const changed = encodeErasureFile({ ...readFile(), hashes: "x" });
    scene.store.objects.set(FILE, changed);
    expect(await verifyProgress(ports())).toMatchObject({ links: 0 });
    expect(await until()).toBeUndefined();
  });
});

describe("an erasure file that the erasure did not write, with the id of one that the log knows", () => {
  it.each([
    ["at another key", 1],
    ["at the key of its own", 0],
  ])("is not listed %s, so that it explains nothing", async (_, run) => {
    await scene.archive(EIGHT + 2 * HOUR);
    await claimErased();
    const forged = scene.store.objects.get(FILE) ?? Buffer.of();
    await recordErasure([{ key: FILE, sha256: sha256Of(Buffer.from("its own")) }]);
    scene.store.objects.delete(FILE);
    scene.store.objects.set(erasureKey("erasure-1", run), forged);
    await scene.archive(EIGHT + 3 * HOUR);
    expect(await listed()).toEqual([]);
    expect(await verifyProgress(ports())).toEqual({ links: 0, problems: [] });
  });

  it("does not take rows from the compaction of a day", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await recordErasure([]);
    await claimErased("jobs/");
    await expect(scene.archive(EIGHT + 17 * HOUR)).rejects.toThrow("the object is missing");
  });
});

/** The keys of erasures that manifests list. */
async function listed(): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const name of await listChain(scene.store)) {
    const { manifest } = await readLink(scene.store, name);
    keys.push(...manifest.objects.map(({ key }) => key).filter((key) => key.startsWith("erasures/")));
  }
  return keys;
}

/** Records the erasure as the log has it, and what it wrote into the archive. */
async function recordErasure(files?: readonly ErasureFileName[]): Promise<void> {
  const own = { key: FILE, sha256: sha256Of(scene.store.objects.get(FILE) ?? Buffer.of()) };
  const value: ErasureRecord = { ...SCOPE, stage: "done", pages: 0, counts: NO_COUNTS, files: files ?? [own] };
  await writeRecord(scene.tracker.ports.meta, erasureRecord, { key: SCOPE.id, value, expected: 0 });
}

function readFile() {
  const decoded = decodeErasureFile(scene.store.objects.get(FILE) ?? Buffer.of());
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  return decoded.document;
}
