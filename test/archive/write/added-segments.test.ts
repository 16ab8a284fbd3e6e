import { describe, expect, it } from "vitest";
import { listChain } from "../../../src/archive/layout/chain.ts";
import { addedSegments } from "../../../src/archive/write/added-segments.ts";
import { clusterLogs } from "../../../src/archive/write/hour-segments.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

async function addedTo(scene: ArchiveScene) {
  const { log, meta } = scene.tracker.ports;
  const search = { chain: await listChain(scene.store), clusters: await clusterLogs(meta) };
  return addedSegments({ log, store: scene.store }, search);
}

describe("segments that an archived hour lacks", () => {
  it("are those that arrived in it afterwards, of every cluster", async () => {
    const scene = new ArchiveScene();
    const tell = (name: string, minutes: number, cluster?: string) => {
      const at = EIGHT + minutes * MINUTE;
      return scene.tracker.tell(endedJob({ name, createdAt: EIGHT }), at, at, cluster);
    };
    await tell("first", 5);
    await scene.archiveUntilNow(EIGHT + 10 * MINUTE);
    expect(await addedTo(scene)).toEqual([]);
    await tell("second", 15);
    await tell("third", 20, "west");
    await tell("later", 65);
    const added = await addedTo(scene);
    expect(added.map(({ cluster, hour }) => [cluster, hour])).toEqual([
      ["east", EIGHT / HOUR],
      ["west", EIGHT / HOUR],
    ]);
    await scene.archive(EIGHT + 3 * HOUR);
    expect(await addedTo(scene)).toEqual([]);
  });
});
