import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyErasuresOf, applyThoroughly } from "../../../cli/erase/apply-erasures.ts";
import { segmentsKey } from "../../../src/archive/layout/archive-keys.ts";
import { listChain } from "../../../src/archive/layout/chain.ts";
import { sha256Of } from "../../../src/archive/layout/manifest.ts";
import { decodeSegmentFile } from "../../../src/archive/layout/segment-file.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { erasurePorts } from "../../../src/host/embedded/erase-embedded.ts";
import type { Embedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { listErasures } from "../../../src/log/erasure/stored-erasures.ts";
import { type Held, holdKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { holdRecord } from "../../../src/upkeep/holds/legal-holds.ts";
import { cluster, ErasureScene, NAMES, NAMESPACE, ofCluster, ofJob } from "../../support/erasure/erasure-scene.ts";
import { erasableArchive } from "../../../src/archive/write/erase-archive.ts";

let scene: ErasureScene;
let restored: Embedded;
beforeEach(async () => {
  scene = new ErasureScene();
  await scene.fill();
  const backup = join(scene.folder, "backup.sqlite");
  await scene.tracker.backUp(backup);
  restored = scene.open(backup);
});
afterEach(() => {
  restored.close();
  scene.remove();
});

async function hold(held: Held): Promise<void> {
  const value = { reason: "case-4711", heldAt: "2026-11-21T08:00:00Z" };
  await writeRecord(restored.meta, holdRecord, { key: holdKey(held), value, expected: 0 });
}

const apply = () =>
  applyErasuresOf({ ...erasurePorts(restored, { settleMillis: 0 }), archive: erasableArchive(scene.archive) });

describe("the erasures of an archive", () => {
  it.each([
    ["the Job", { cluster, namespace: NAMESPACE, name: NAMES.job }, ofJob],
    ["the namespace of the Job", { cluster, namespace: NAMESPACE }, ofJob],
    ["the cluster", { cluster }, ofJob],
    ["a namespace of the cluster", { cluster, namespace: NAMESPACE }, ofCluster],
  ])("are not applied to a database that has %s under a legal hold", async (_, held, target) => {
    await scene.erase(target);
    await hold(held);
    await expect(apply()).rejects.toThrow(/request 12, by alice.*legal hold \(case-4711\).*"outlive hold release"/);
    expect(await listErasures(restored.meta)).toEqual([]);
  });

  it("are applied beside a hold on something else, and stay applied under a later hold", async () => {
    await scene.erase(ofJob);
    await hold({ cluster, namespace: NAMESPACE, name: "another" });
    expect(await apply()).toMatchObject([{ stage: "done" }]);
    await hold({ cluster });
    expect(await apply()).toEqual([]);
  });
});

const applyAll = () =>
  applyThoroughly({ ...erasurePorts(scene.tracker, { settleMillis: 0 }), archive: erasableArchive(scene.archive) });

/** The segment file of the next hour, which the archiver wrote before it noticed the erasure. */
async function leaveSegments(): Promise<string> {
  const [, bytes = Buffer.of()] = await firstSegments();
  await scene.erase(ofJob);
  const last = (await listChain(scene.archive)).at(-1);
  const key = segmentsKey((last?.hour ?? 0) + 1, sha256Of(bytes));
  await scene.archive.putIfAbsent(key, bytes);
  return key;
}

async function firstSegments(): Promise<readonly [string, Uint8Array | undefined]> {
  for await (const { key } of scene.archive.list("segments/")) {
    const bytes = await scene.archive.read(key);
    if ((await textOf(bytes)).includes(NAMES.job)) return [key, bytes];
  }
  return ["", undefined];
}

const textOf = async (bytes: Uint8Array = Buffer.of()) => {
  const file = decodeSegmentFile(bytes);
  const segments = file.outcome === "decoded" ? file.segments : [];
  return JSON.stringify(segments.map((segment) => decodeSegment(segment.bytes)));
};

describe("data of an erasure that a killed archiver left in the archive", () => {
  it("is named by the verification, and removed by --apply", async () => {
    const key = await leaveSegments();
    expect((await verifyArchive(scene.archive)).problems).toMatchObject([{ key, problem: "erased" }]);
    expect(await applyAll()).toMatchObject([{ stage: "done", level: "job" }]);
    expect((await verifyArchive(scene.archive)).problems).toEqual([]);
    expect(await scene.archive.read(key)).toBeUndefined();
    expect(await applyAll()).toEqual([]);
  });

  it("stays under a legal hold", async () => {
    const key = await leaveSegments();
    const value = { reason: "case-4711", heldAt: "2026-11-21T08:00:00Z" };
    await writeRecord(scene.tracker.meta, holdRecord, { key: holdKey({ cluster }), value, expected: 0 });
    await expect(applyAll()).rejects.toThrow(/legal hold \(case-4711\)/);
    expect(await scene.archive.read(key)).toBeDefined();
  });
});
