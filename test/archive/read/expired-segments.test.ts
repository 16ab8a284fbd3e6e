import { beforeEach, describe, expect, it } from "vitest";
import { ExpiredSegments } from "../../../src/archive/read/expired-segments.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";

let scene: PackedScene;
beforeEach(() => {
  scene = new PackedScene();
});

async function archived() {
  await scene.archive(EIGHT + 4 * HOUR);
  return new ExpiredSegments(scene.store);
}

describe("a segment that has left the log", () => {
  it("is read from the hour of its arrival, as the log had it", async () => {
    // Sealed an hour before it arrived.
    await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 5 * MINUTE, EIGHT + HOUR + MINUTE);
    const [item] = scene.ports.log.allPacks.flatMap(({ items }) => items);
    if (item === undefined) throw new Error("The log has a segment.");
    const { bytes, ...read } = (await (await archived()).read(item.key)) ?? { bytes: Buffer.of() };
    expect(read).toEqual({ key: item.key, sha256: item.sha256, factCount: item.factCount });
    expect(Buffer.from(bytes).equals(item.bytes)).toBe(true);
  });

  it("is found in the hour before, if it was delivered again", async () => {
    const segment = await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + 59 * MINUTE);
    await scene.arrive([segment], EIGHT + HOUR + MINUTE);
    const [, again] = scene.ports.log.allPacks.flatMap(({ items }) => items);
    if (again === undefined) throw new Error("The log has the segment twice.");
    expect(await (await archived()).read(again.key)).toMatchObject({ sha256: again.sha256 });
  });

  it("is unknown if its hour is not archived, or has no such segment", async () => {
    await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + MINUTE);
    const [item] = scene.ports.log.allPacks.flatMap(({ items }) => items);
    if (item === undefined) throw new Error("The log has a segment.");
    const { key } = item;
    expect(await new ExpiredSegments(scene.store).read(key)).toBeUndefined();
    const segments = await archived();
    expect(await segments.read({ ...key, sk: key.sk.replace(/.$/, "9") })).toBeUndefined();
    expect(await segments.read({ pk: "none", sk: "none" })).toBeUndefined();
  });

  it("is read again after a failure", async () => {
    await scene.tell(endedJob({ name: "report", createdAt: EIGHT }), EIGHT + MINUTE);
    const [item] = scene.ports.log.allPacks.flatMap(({ items }) => items);
    if (item === undefined) throw new Error("The log has a segment.");
    const segments = await archived();
    const file = scene.store.keys.find((key) => key.startsWith("segments/")) ?? "";
    const bytes = scene.store.objects.get(file) ?? Buffer.of();
    scene.store.objects.delete(file);
    await expect(segments.read(item.key)).rejects.toThrow("it is missing");
    scene.store.objects.set(file, bytes);
    expect(await segments.read(item.key)).toMatchObject({ sha256: item.sha256 });
  });
});
