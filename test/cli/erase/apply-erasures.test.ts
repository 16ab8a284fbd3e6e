import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyErasuresOf } from "../../../cli/erase/apply-erasures.ts";
import type { Embedded } from "../../../src/embedded/embedded-tracker.ts";
import { listErasures } from "../../../src/erasure/stored-erasures.ts";
import { type Held, holdKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord } from "../../../src/retention/retention-record.ts";
import { cluster, ErasureScene, NAMES, NAMESPACE, ofCluster, ofJob } from "../../support/erasure/erasure-scene.ts";

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

const apply = () => applyErasuresOf(restored, { archive: scene.archive, settleMillis: 0 });

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
