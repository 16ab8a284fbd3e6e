import { beforeEach, describe, expect, it } from "vitest";
import { archivedJobs } from "../../../src/archive/read/open-archived-jobs.ts";
import { decodeSegment } from "../../../src/segment/decode-segment.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, jobDeleted, MINUTE } from "../../support/archive/archive-scene.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";

const wanted = { cluster: clusterNamed("east"), namespace: "shop", name: "report" };
let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  const gap = {
    kind: "GapRecorded",
    gapId: "g",
    from: EIGHT,
    to: EIGHT + 1,
    resources: ["jobs"],
    reason: "x",
  } as const;
  const order = endedJob({ name: "order", createdAt: EIGHT })[0];
  if (order === undefined) throw new Error("A Job has facts.");
  const { epoch, resourceVersion, at } = order;
  await scene.tracker.tell([{ epoch, resourceVersion, at, ...gap }], EIGHT + 6 * MINUTE);
  await scene.tracker.tell([jobDeleted({ name: "report" }, EIGHT + HOUR)], EIGHT + HOUR);
  await scene.archive(EIGHT + 2 * HOUR + 10 * MINUTE);
});

describe("a Job of an archive", () => {
  it("is found by its name, with the segments of all hours that have facts about it", async () => {
    const found = await archivedJobs(scene.store).find(wanted);
    expect(found?.jobUid).toBe(jobUid("report"));
    const kinds = found?.items.flatMap(({ bytes }) => {
      const decoded = decodeSegment(bytes);
      return decoded.outcome === "decoded" ? decoded.segment.facts.map(({ kind }) => kind) : [];
    });
    expect(kinds).toContain("JobFinished");
    expect(kinds).toContain("JobDeleted");
    expect(found?.items).toHaveLength(2);
  });

  it("has the gaps that were recorded in its hours", async () => {
    const found = await archivedJobs(scene.store).find(wanted);
    expect(found?.around.map(({ kind }) => kind)).toEqual(["GapRecorded"]);
  });

  it("is one of the generations of its name", async () => {
    const found = await archivedJobs(scene.store).find(wanted);
    expect(found?.generations).toEqual([
      {
        uid: jobUid("report"),
        state: "Complete",
        createdAt: "2026-11-21T08:00:00Z",
        finishedAt: "2026-11-21T08:03:00Z",
      },
    ]);
  });

  it.each([
    ["name", { ...wanted, name: "none" }],
    ["namespace", { ...wanted, namespace: "bank" }],
    ["cluster", { ...wanted, cluster: clusterNamed("west") }],
    ["uid", { ...wanted, uid: "none" }],
  ])("is not found by another %s", async (_, other) => {
    expect(await archivedJobs(scene.store).find(other)).toBeUndefined();
  });
});
