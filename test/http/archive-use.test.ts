import { describe, expect, it } from "vitest";
import { archivedJobs } from "../../src/archive/read/open-archived-jobs.ts";
import { ArchiveUse } from "../../src/http/archive-use.ts";
import { ArchiveScene } from "../support/archive/archive-scene.ts";
import { PackedScene } from "../support/archive/packed-scene.ts";
import { clusterNamed } from "../support/facts/names.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../support/archive/archive-scene.ts";

async function warningAbout(name: string): Promise<string | undefined> {
  const scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  await scene.archive(EIGHT + HOUR + 10 * MINUTE);
  const use = new ArchiveUse();
  const ports = use.watch({ ...scene.tracker.ports, archived: archivedJobs(scene.store) });
  await ports.archived.find({ cluster: clusterNamed("east"), namespace: "shop", name });
  return use.warning;
}

describe("an answer", () => {
  it("has a warning if it is from the archive", async () => {
    expect(await warningAbout("report")).toContain("from the archive");
  });

  it("has a warning if the log no longer has its facts", async () => {
    const scene = new PackedScene();
    await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
    await scene.archive(EIGHT + HOUR + 10 * MINUTE);
    const [item] = scene.ports.log.allPacks.flatMap(({ items }) => items);
    const use = new ArchiveUse();
    const { archived } = use.watch({ ...scene.ports, archived: archivedJobs(scene.store) });
    await archived.readSegment({ pk: "none", sk: "none" });
    expect(use.warning).toBeUndefined();
    await archived.readSegment(item?.key ?? { pk: "", sk: "" });
    expect(use.warning).toContain("no longer in the log");
  });

  it("has none if the archive did not have the Job", async () => {
    expect(await warningAbout("other")).toBeUndefined();
  });

  it("has none without an archive", () => {
    const use = new ArchiveUse();
    const { ports } = new ArchiveScene().tracker;
    expect(use.watch(ports)).toBe(ports);
    expect(use.warning).toBeUndefined();
  });
});
