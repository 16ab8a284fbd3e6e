import { beforeEach, describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { manifestKey } from "../../../src/archive/layout/archive-keys.ts";
import { verifiedUntil, verifyProgress } from "../../../src/archive/verify/verify-progress.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
});

const ports = () => ({ store: scene.store, meta: scene.tracker.ports.meta });
const until = () => verifiedUntil(scene.tracker.ports.meta);
const objectOf = (folder: string): string => scene.store.keys.find((key) => key.startsWith(folder)) ?? "";

describe("the verification of an archive that grows", () => {
  it("has nothing to verify before the first hour", async () => {
    expect(await verifyProgress(ports())).toEqual({ links: 0, problems: [] });
    expect(await until()).toBeUndefined();
  });

  it("verifies each link once, also the compaction of a day", async () => {
    await scene.archive(EIGHT + 3 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 2, problems: [] });
    expect(await until()).toBe(EIGHT + 2 * HOUR);
    await scene.archive(EIGHT + 17 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 15, problems: [] });
    expect(await until()).toBe(EIGHT + 16 * HOUR);
    expect(await verifyProgress(ports())).toEqual({ links: 0, problems: [] });
  });

  it("continues where the time was up", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    const left = [true, true, false];
    expect(await verifyProgress(ports(), { hasTime: () => left.shift() ?? false })).toMatchObject({ links: 2 });
    expect(await until()).toBe(EIGHT + 2 * HOUR);
    expect(await verifyProgress(ports())).toMatchObject({ links: 1 });
    expect(await verifyProgress(ports(), { hasTime: () => false })).toMatchObject({ links: 0 });
  });

  it.each(["segments/", "jobs/", "attempts/", "facts/"])("stops at a changed object of %s", async (folder) => {
    await scene.archive(EIGHT + 3 * HOUR);
    scene.store.objects.set(objectOf(folder), Buffer.from("changed"));
    const { links, problems } = await verifyProgress(ports());
    expect([links, problems.map(({ key, problem }) => [key, problem])]).toEqual([0, [[objectOf(folder), "changed"]]]);
    expect(await until()).toBeUndefined();
  });

  it("does not continue a chain whose verified end was changed or removed", async () => {
    await scene.archive(EIGHT + 2 * HOUR);
    await verifyProgress(ports());
    await scene.archive(EIGHT + 3 * HOUR);
    const key = manifestKey({ kind: "hour", hour: hourOf(EIGHT) });
    const bytes = scene.store.objects.get(key) ?? Buffer.of();
    scene.store.objects.set(manifestKey({ kind: "hour", hour: hourOf(EIGHT) + 1 }), bytes);
    expect((await verifyProgress(ports())).problems).toHaveLength(1);
    scene.store.objects.delete(key);
    expect((await verifyProgress(ports())).problems).toMatchObject([{ key, problem: "missing" }]);
    expect(await until()).toBe(EIGHT + HOUR);
  });

  it("keeps what another run has verified meanwhile", async () => {
    await scene.archive(EIGHT + 4 * HOUR);
    const runs = await Promise.all([verifyProgress(ports()), verifyProgress(ports())]);
    expect(runs.map(({ problems }) => problems)).toEqual([[], []]);
    expect(await until()).toBe(EIGHT + 3 * HOUR);
  });
});
