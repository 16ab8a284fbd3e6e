import { describe, expect, it } from "vitest";
import { archivedHour } from "../../../src/archive/read/archived-hour.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";

async function clustersOf(name: string): Promise<readonly string[]> {
  const scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "a", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  await scene.tracker.tell(endedJob({ name: "b", createdAt: EIGHT }), EIGHT + 5 * MINUTE, EIGHT + 5 * MINUTE, "west");
  await scene.archive(EIGHT + HOUR + 10 * MINUTE);
  const clusters: string[] = [];
  for await (const file of archivedHour(scene.store, { cluster: clusterNamed(name), hour: EIGHT / HOUR })) {
    clusters.push(...file.segments.map(({ segment }) => segment.cluster));
  }
  return clusters;
}

describe("the segments of an hour", () => {
  it("are those of one cluster", async () => {
    expect(await clustersOf("west")).toEqual(["west"]);
    expect(await clustersOf("north")).toEqual([]);
  });
});
