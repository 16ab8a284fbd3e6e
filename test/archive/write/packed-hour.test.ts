import { beforeEach, describe, expect, it } from "vitest";
import { hourOf } from "../../../src/archive/layout/archive-hour.ts";
import { firstPackedHour, PackDamagedError, packedSegments } from "../../../src/archive/write/packed-hour.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { collect } from "../../support/running/collect.ts";

let scene: PackedScene;
beforeEach(() => {
  scene = new PackedScene();
});

const facts = (name: string) => endedJob({ name, createdAt: EIGHT });
const segmentsIn = (hour: number) => collect(packedSegments(scene.ports, hourOf(EIGHT) + hour));

async function arrivedIn(hour: number): Promise<readonly string[]> {
  return (await segmentsIn(hour)).map(({ cluster, item }) => `${cluster} ${item.key.sk.slice(11, 19)}`);
}

describe("the packed segments of an hour", () => {
  it("are those that arrived in it, of all clusters and shards, in order of arrival", async () => {
    const clusters = ["east", "west", "north", "south"];
    for (const [index, cluster] of clusters.entries()) {
      await scene.tell(facts(cluster), EIGHT + MINUTE, EIGHT + (10 - index) * MINUTE, cluster);
    }
    await scene.tell(facts("before"), EIGHT - 1);
    await scene.tell(facts("after"), EIGHT + HOUR);
    expect(await arrivedIn(0)).toEqual(["south 08:01:00", "north 08:01:00", "west 08:01:00", "east 08:01:00"]);
    expect(new Set(scene.ports.log.allPacks.map(({ hour }) => hour.shard)).size).toBeGreaterThan(1);
  });

  it("say when they arrived if that was long after they were sealed, or in another hour", async () => {
    await scene.tell(facts("inTime"), EIGHT + MINUTE, EIGHT + MINUTE + 4_000);
    await scene.tell(facts("late"), EIGHT + 2 * MINUTE, EIGHT + 3 * MINUTE);
    await scene.tell(facts("atTheEnd"), EIGHT + HOUR - 1_000, EIGHT + HOUR + 500);
    expect((await segmentsIn(0)).map(({ lateAt }) => lateAt)).toEqual([undefined, EIGHT + 3 * MINUTE]);
    expect((await segmentsIn(1)).map(({ lateAt }) => lateAt)).toEqual([EIGHT + HOUR + 500]);
  });

  it("have a segment once that was delivered twice in the hour", async () => {
    const segment = await scene.tell(facts("a"), EIGHT + MINUTE);
    await scene.arrive([segment], EIGHT + 2 * MINUTE);
    expect(await segmentsIn(0)).toHaveLength(1);
  });

  it("do not have a segment that arrived before in the hour before", async () => {
    const segments = [
      await scene.tell(facts("first"), EIGHT + MINUTE),
      await scene.tell(facts("second"), EIGHT + 30 * MINUTE),
      await scene.tell(facts("last"), EIGHT + HOUR - 1),
    ];
    for (const segment of segments.toReversed()) await scene.arrive([segment], EIGHT + HOUR + MINUTE);
    await scene.tell(facts("new"), EIGHT + HOUR - 1, EIGHT + HOUR + 2 * MINUTE);
    expect(await arrivedIn(0)).toHaveLength(3);
    expect(await arrivedIn(1)).toEqual(["east 08:59:59"]);
  });

  it("have a segment again that arrived long before", async () => {
    const segment = await scene.tell(facts("a"), EIGHT + MINUTE);
    await scene.arrive([segment], EIGHT + 3 * HOUR);
    expect(await arrivedIn(3)).toEqual(["east 08:01:00"]);
  });

  it("cannot be archived if a pack cannot be read", async () => {
    const hour = { shard: 0, hour: "2026112108" };
    const key = { pk: "0#2026112108", sk: "2026-11-21T08:01:00.000Z#broken" };
    await scene.tell(facts("a"), EIGHT + MINUTE);
    await scene.ports.meta.write("logHour", "2026112108#00", { value: "", expected: 0 });
    await scene.ports.log.packs.append({
      hour,
      sk: key.sk,
      items: [{ key, bytes: Buffer.of(), sha256: "", factCount: 0 }],
    });
    await expect(segmentsIn(0)).rejects.toThrow(PackDamagedError);
  });
});

describe("the first hour of packs", () => {
  it("is the hour of the first arrival", async () => {
    await scene.tell(facts("a"), EIGHT - 5 * HOUR, EIGHT + HOUR);
    await scene.tell(facts("b"), EIGHT + 2 * HOUR);
    expect(await firstPackedHour(scene.ports.meta)).toBe(hourOf(EIGHT) + 1);
  });

  it("is unknown without packs", async () => {
    expect(await firstPackedHour(scene.ports.meta)).toBeUndefined();
  });
});
