import { beforeEach, describe, expect, it } from "vitest";
import { verifyNewLinks } from "../../../src/archive/retention/verify-new-links.ts";
import { ArchiveScene, EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";

const EIGHT_HOUR = EIGHT / HOUR;
let scene: ArchiveScene;
beforeEach(async () => {
  scene = new ArchiveScene();
  await scene.tracker.tell(endedJob({ name: "a", createdAt: EIGHT }), EIGHT + 4 * MINUTE);
  await scene.tracker.tell(endedJob({ name: "b", createdAt: EIGHT + HOUR }), EIGHT + HOUR + 4 * MINUTE);
  await scene.archive(EIGHT + HOUR + 10 * MINUTE);
});

async function verified(): Promise<number | undefined> {
  const { meta } = scene.tracker.ports;
  return verifyNewLinks({ meta, store: scene.store });
}

function damage(part: string): void {
  const key = scene.store.keys.find((one) => one.includes(part)) ?? part;
  const bytes = Buffer.from(scene.store.objects.get(key) ?? []);
  bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
  scene.store.objects.set(key, bytes);
}

describe("the verified part of an archive", () => {
  it("grows with the archive", async () => {
    expect(await verified()).toBe(EIGHT_HOUR);
    await scene.archive(EIGHT + 2 * HOUR + 10 * MINUTE);
    expect(await verified()).toBe(EIGHT_HOUR + 1);
    expect(await verified()).toBe(EIGHT_HOUR + 1);
  });

  it("does not grow beyond a damaged object, which is named", async () => {
    await verified();
    await scene.archive(EIGHT + 2 * HOUR + 10 * MINUTE);
    damage("-h09");
    await expect(verified()).rejects.toThrow(/no Job and no part of the log is deleted\. \S+-h09\S*: changed\./);
  });

  it("is not read again", async () => {
    await verified();
    damage("-h08");
    expect(await verified()).toBe(EIGHT_HOUR);
  });

  it("ends where its last manifest was removed", async () => {
    await verified();
    scene.store.objects.delete(scene.store.keys.find((key) => key.startsWith("manifest/")) ?? "");
    await expect(verified()).rejects.toThrow("hour=08");
  });

  it("is nothing of an empty archive", async () => {
    const { tracker, store } = new ArchiveScene();
    expect(await verifyNewLinks({ meta: tracker.ports.meta, store })).toBeUndefined();
  });

  it("continues through the compaction of a day", async () => {
    await verified();
    await scene.archive(EIGHT + 20 * HOUR);
    expect(await verified()).toBeGreaterThan(EIGHT_HOUR + 16);
  });
});
