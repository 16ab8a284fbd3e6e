import { beforeEach, describe, expect, it } from "vitest";
import { isDayArchived, isJobArchived } from "../../../src/archive/retention/is-archived.ts";
import { readArrivals } from "../../../src/archive/write/arrivals.ts";
import { readJob } from "../../../src/projection/job-state/read-job.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, jobDeleted, MINUTE } from "../../support/archive/archive-scene.ts";
import { jobUid } from "../../support/facts/names.ts";

const FIRST = EIGHT / HOUR;
const DAY = "20261121";
let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  // Sealed at 8:06, and delivered two hours later.
  const late = EIGHT + 2 * HOUR;
  await scene.tracker.tell([jobDeleted({ name: "report" }, EIGHT + 6 * MINUTE)], EIGHT + 6 * MINUTE, late);
  await scene.archive(EIGHT + 4 * HOUR);
});

async function isArchived(through: number) {
  const { ports } = scene.tracker;
  const { cluster, store } = scene;
  const archived = { arrivals: await readArrivals(ports.meta, cluster), through };
  const view = await readJob(ports.jobs, { cluster, jobUid: jobUid("report") });
  if (view === undefined) throw new Error("The Job is known.");
  return {
    job: await isJobArchived(view, archived),
    day: await isDayArchived({ log: ports.log, store }, { cluster, day: DAY }, archived),
  };
}

describe("a Job and its day of the log", () => {
  it("are archived when the hour of the last arrival is", async () => {
    expect(await isArchived(FIRST + 2)).toEqual({ job: true, day: true });
    expect(await isArchived(FIRST + 1)).toEqual({ job: false, day: false });
  });

  it("are not archived if the archive lacks a segment, though its hour is verified", async () => {
    const other = new ArchiveScene();
    await other.tracker.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
    await other.archive(EIGHT + 4 * HOUR);
    const archived = { arrivals: await readArrivals(scene.tracker.ports.meta, scene.cluster), through: FIRST + 2 };
    const stores = { log: scene.tracker.ports.log, store: other.store };
    expect(await isDayArchived(stores, { cluster: scene.cluster, day: DAY }, archived)).toBe(false);
  });

  it("are not archived if a segment file was changed since", async () => {
    const key = scene.store.keys.find((one) => one.startsWith("segments/")) ?? "";
    scene.store.objects.set(key, Buffer.from("x"));
    await expect(isArchived(FIRST + 2)).rejects.toThrow("its SHA-256 is not in its manifest");
  });
});
