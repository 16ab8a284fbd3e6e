import { describe, expect, it } from "vitest";
import { findArchivedJobs } from "../../../src/archive/read/find-archived-jobs.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, jobDeleted, MINUTE } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";

describe("the rows of a name", () => {
  it("have the last revision of each Job, and all of its hours", async () => {
    const scene = new ArchiveScene();
    await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
    await scene.tracker.tell([jobDeleted({ name: "report" }, EIGHT + HOUR)], EIGHT + HOUR);
    await scene.archive(EIGHT + 2 * HOUR + 10 * MINUTE);
    const name = { cluster: clusterNamed("east"), namespace: "shop", name: "report", now: EIGHT + 3 * HOUR };
    const hour = EIGHT / HOUR;
    expect(await findArchivedJobs(scene.store, name)).toMatchObject([{ state: "Complete", hours: [hour, hour + 1] }]);
  });
});
