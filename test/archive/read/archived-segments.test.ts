import { beforeEach, describe, expect, it } from "vitest";
import { archivedSegments } from "../../../src/archive/read/archived-segments.ts";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { decodeManifest, encodeManifest, type Manifest } from "../../../src/archive/layout/manifest.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { collect } from "../../support/running/collect.ts";

let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  for (const name of ["a", "b"]) {
    await scene.tracker.tell(endedJob({ name, createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  }
  await scene.archive(EIGHT + 2 * HOUR);
});

const hourKey = (hour: number): string => manifestKey({ kind: "hour", hour: hourOf(EIGHT) + hour });

/** Changes the manifest of an hour, but no reference to it. */
function rewrite(hour: number, change: (manifest: Manifest) => Manifest): void {
  const decoded = decodeManifest(scene.store.objects.get(hourKey(hour)) ?? Buffer.of());
  if (decoded.outcome === "rejected") throw new Error(decoded.reason);
  scene.store.objects.set(hourKey(hour), encodeManifest(change(decoded.document)));
}

const fileKey = (): string => scene.store.keys.find((key) => key.startsWith("segments/")) ?? "";

describe("the segments of an archive", () => {
  it("are those of the log, file by file", async () => {
    const files = await collect(archivedSegments(scene.store));
    expect(files.map(({ segments }) => segments.length)).toEqual([2]);
  });

  it("cannot be read if a file is missing", async () => {
    scene.store.objects.delete(fileKey());
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("it is missing");
  });

  it("cannot be read if a file was changed", async () => {
    scene.store.objects.set(fileKey(), Buffer.from("OUTSEG1\n"));
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("its SHA-256 is not in its manifest");
  });

  it("cannot be read if a manifest between others is missing", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    scene.store.objects.delete(hourKey(1));
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("it does not follow the manifest before it");
  });

  it("cannot be read if a manifest was changed", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    rewrite(0, (manifest) => ({ ...manifest, objects: [] }));
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("it does not follow the manifest before it");
  });

  it("cannot be read if the first manifests are missing", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    scene.store.objects.delete(hourKey(0));
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("earlier manifests are missing");
  });

  it("cannot be read if a manifest comes from another archive", async () => {
    await scene.archive(EIGHT + 3 * HOUR);
    rewrite(1, (manifest) => ({ ...manifest, archive: "archive-2" }));
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("it belongs to another archive");
  });
});
