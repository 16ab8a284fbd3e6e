import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { erasurePorts } from "../../../../src/host/embedded/erase-embedded.ts";
import { applyArchivedErasures } from "../../../../src/log/erasure/command/apply-archived-erasures.ts";
import { ErasureScene, NAMES, ofJob } from "../../../support/erasure/erasure-scene.ts";
import { searchFolder } from "../../../support/erasure/search-bytes.ts";
import { erasableArchive } from "../../../../src/archive/write/erase-archive.ts";

let scene: ErasureScene;
beforeEach(async () => {
  scene = new ErasureScene();
  await scene.fill();
});
afterEach(() => scene.remove());

describe("the erasures of an archive", () => {
  it("are applied once to a store that is older than they are", async () => {
    const backup = join(scene.stores, "backup.sqlite");
    await scene.tracker.backUp(backup);
    await scene.erase(ofJob);
    const restored = scene.open(backup);
    const ports = { ...erasurePorts(restored, { settleMillis: 0 }), archive: erasableArchive(scene.archive) };
    expect(await applyArchivedErasures(ports)).toMatchObject([{ stage: "done", by: "alice" }]);
    expect(await applyArchivedErasures(ports)).toEqual([]);
    restored.close();
    expect(await searchFolder(scene.stores, [NAMES.job])).toEqual([]);
  });

  it("are none where nothing was erased", async () => {
    expect(await applyArchivedErasures({ ...scene.ports(), archive: erasableArchive(scene.archive) })).toEqual([]);
  });
});
