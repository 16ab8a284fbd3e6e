import { describe, expect, it } from "vitest";
import { archivedBatches } from "../../../src/upkeep/restore/archived-batches.ts";
import { isLate } from "../../../src/segment/late.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { collect } from "../../support/running/collect.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

async function batchesOf(arrivals: readonly { readonly sealedAt: number; readonly arrivedAt: number }[]) {
  const scene = new PackedScene();
  for (const [index, { sealedAt, arrivedAt }] of arrivals.entries()) {
    await scene.tell(endedJob({ name: `job-${index}`, createdAt: EIGHT - HOUR }), sealedAt, arrivedAt);
  }
  await scene.archive(EIGHT + 3 * HOUR);
  return collect(archivedBatches({ store: scene.store, meta: new MemoryMetaStore() }));
}

describe("the segments of an archive", () => {
  it("come hour by hour, and those that were sealed within four seconds arrive together", async () => {
    const [first, second] = await batchesOf([
      { sealedAt: EIGHT, arrivedAt: EIGHT + 50 },
      { sealedAt: EIGHT + 3_000, arrivedAt: EIGHT + 3_900 },
      { sealedAt: EIGHT + 4_000, arrivedAt: EIGHT + 4_000 },
      { sealedAt: EIGHT + HOUR, arrivedAt: EIGHT + HOUR },
    ]);
    const arrivals = first?.segments.map(({ arrivedAt }) => arrivedAt - EIGHT);
    expect(arrivals).toEqual([3_999, 3_999, 7_999]);
    expect(second?.segments).toHaveLength(1);
  });

  it("arrive exactly when the log recorded it, if they were late or arrived in the next hour", async () => {
    const late = EIGHT + 10 * MINUTE + 17;
    const batches = await batchesOf([
      { sealedAt: EIGHT, arrivedAt: late },
      { sealedAt: EIGHT + HOUR - 500, arrivedAt: EIGHT + HOUR + 500 },
    ]);
    const arrivals = batches.flatMap(({ segments }) => segments.map(({ arrivedAt }) => arrivedAt));
    expect(arrivals).toEqual([late, EIGHT + HOUR + 500]);
  });

  it("are late afterwards only if they were late before, and stay in their hour", async () => {
    const [batch] = await batchesOf([{ sealedAt: EIGHT + HOUR - 1, arrivedAt: EIGHT + HOUR - 1 }]);
    const [segment] = batch?.segments ?? [];
    expect(segment?.arrivedAt).toBeLessThan(EIGHT + HOUR);
    expect(isLate(EIGHT + HOUR - 1, segment?.arrivedAt ?? Number.NaN)).toBe(false);
  });
});
