import { beforeEach, describe, expect, it } from "vitest";
import { type ErasedDataObject, findErasedData } from "../../../src/archive/verify/erased-data.ts";
import { Erasure } from "../../../src/log/erasure/erasure.ts";
import { verifyArchive } from "../../../src/archive/verify/verify-archive.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE, tableRows } from "../../support/archive/archive-scene.ts";
import { memberFacts, runFacts } from "../../support/facts/run-facts.ts";
import { eraseFrom, erasureOfJob } from "../../support/erasure/archived-erasure.ts";

let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  await scene.tracker.tell(endedJob({ name: "other", createdAt: EIGHT }), EIGHT + 5 * MINUTE);
  await scene.archive(EIGHT + 2 * HOUR);
});

async function found(...erasures: readonly Erasure[]): Promise<readonly ErasedDataObject[]> {
  const objects: ErasedDataObject[] = [];
  for await (const object of findErasedData(scene.store, erasures)) objects.push(object);
  return objects;
}

const erasure = () => erasureOfJob("report", EIGHT + HOUR);
const folders = (objects: readonly ErasedDataObject[]) => objects.map(({ key }) => key.replace(/\/.*/, "")).sort();

describe("data of an erasure in an archive", () => {
  it("is found in every kind of object, and nothing of other Jobs", async () => {
    const objects = await found(erasure());
    expect(folders(objects)).toEqual(["attempts", "facts", "jobs", "segments"]);
    expect(objects.every(({ isListed, erasureId }) => isListed && erasureId === "erasure-1")).toBe(true);
    expect(await found(erasureOfJob("unknown", EIGHT + HOUR))).toEqual([]);
    expect(await found()).toEqual([]);
  });

  it("is not found after the erasure", async () => {
    await eraseFrom(scene.store, erasure());
    expect(await found(erasure())).toEqual([]);
    expect(folders(await found(erasureOfJob("other", EIGHT + HOUR, "erasure-2")))).toHaveLength(4);
  });

  it("is found in objects that no manifest has", async () => {
    const left = [...scene.store.objects].filter(([key]) => !key.startsWith("manifest/"));
    await eraseFrom(scene.store, erasure());
    for (const [key, bytes] of left) scene.store.objects.set(key, bytes);
    const objects = await found(erasure());
    expect(folders(objects)).toEqual(["attempts", "facts", "jobs", "segments"]);
    expect(objects.some(({ isListed }) => isListed)).toBe(false);
  });

  it("of a cluster is not looked for in objects of another one", async () => {
    const { scope, known } = erasure();
    expect(await found(new Erasure({ ...scope, cluster: "west" }, known))).toEqual([]);
  });

  it("is found in the rows of runs that a Job was part of, which an erasure removes", async () => {
    const run = { name: "train", createdAt: EIGHT + 2 * HOUR, jobs: ["worker"] };
    await scene.tracker.tell([...memberFacts(run), ...runFacts(run)], EIGHT + 2 * HOUR + 5 * MINUTE);
    await scene.archive(EIGHT + 4 * HOUR);
    const ofMember = erasureOfJob("worker", EIGHT + 5 * HOUR);
    expect(folders(await found(ofMember))).toContain("runs");
    await eraseFrom(scene.store, ofMember);
    expect(await found(ofMember)).toEqual([]);
    expect(await tableRows(scene.store, "runs")).toEqual([]);
    expect((await verifyArchive(scene.store)).problems).toEqual([]);
  });
});
