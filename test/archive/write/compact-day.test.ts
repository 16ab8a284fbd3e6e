import { beforeEach, describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { readLink } from "../../../src/archive/layout/chain.ts";
import { ArchiveErasures } from "../../../src/archive/read/archive-erasures.ts";
import { compactDay, removeMergedParts } from "../../../src/archive/write/compact-day.ts";
import { PartUnreadableError } from "../../../src/archive/parquet/read-part.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

const last = hourOf(EIGHT) + 15;
const run = { hour: last, archive: "archive-1", previous: "", erasures: new ArchiveErasures([]) };

let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  for (const hour of [0, 1]) {
    const createdAt = EIGHT + hour * HOUR;
    await scene.tracker.tell(endedJob({ name: `job-${hour}`, createdAt }), createdAt + 4 * MINUTE);
  }
  await scene.archive(EIGHT + 2 * HOUR + 10 * MINUTE);
});

describe("the compaction of a day", () => {
  it("lists what it replaces, and counts its rows", async () => {
    const manifest = await compactDay(scene.store, run);
    expect(manifest.counts).toMatchObject({ segments: 0, jobs: 2, attempts: 2 });
    expect(manifest.replaces).toHaveLength(6);
    expect(manifest.objects.map(({ key }) => key)).toContain("jobs/dt=2026-11-21/cluster=east/part-0.parquet");
  });

  it("fails if a part is damaged, and leaves it", async () => {
    const key = scene.store.keys.find((one) => one.startsWith("jobs/")) ?? "";
    scene.store.objects.set(key, Buffer.from("damaged"));
    await expect(compactDay(scene.store, run)).rejects.toThrow(PartUnreadableError);
    expect(scene.store.keys).toContain(key);
  });

  it("fails if a part was exchanged for another whole one, which no manifest would show afterwards", async () => {
    const [first = "", second = ""] = scene.store.keys.filter((one) => one.startsWith("jobs/"));
    scene.store.objects.set(first, scene.store.objects.get(second) ?? Buffer.of());
    await expect(compactDay(scene.store, run)).rejects.toThrow("its SHA-256 is not the one in its manifest");
  });

  it("deletes the parts of the hours afterwards, also those that a crashed run left", async () => {
    const left = "jobs/dt=2026-11-21/cluster=east/part-0-h08-12345678.parquet";
    scene.store.objects.set(left, Buffer.from("left"));
    await scene.archive(EIGHT + 17 * HOUR);
    expect(scene.store.keys.filter((key) => key.includes("-h"))).toEqual([]);
    const link = await readLink(scene.store, { kind: "day", hour: last });
    await expect(removeMergedParts(scene.store, link)).resolves.toBeUndefined();
  });
});
