import { beforeEach, describe, expect, it } from "vitest";
import { archivedSegments } from "../../../src/archive/read/archived-segments.ts";
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

const fileKey = (): string => scene.store.keys.find((key) => key.startsWith("segments/")) ?? "";

describe("the segments of an archive", () => {
  it("are those of the log, file by file", async () => {
    const files = await collect(archivedSegments(scene.store));
    expect(files.map((file) => file.length)).toEqual([2]);
  });

  it("cannot be read if a file is missing", async () => {
    scene.store.objects.delete(fileKey());
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("it is missing");
  });

  it("cannot be read if a file was changed", async () => {
    scene.store.objects.set(fileKey(), Buffer.from("OUTSEG1\n"));
    await expect(collect(archivedSegments(scene.store))).rejects.toThrow("its SHA-256 is not in its manifest");
  });
});
