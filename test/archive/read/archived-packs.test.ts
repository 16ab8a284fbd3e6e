import { beforeEach, describe, expect, it } from "vitest";
import { ArchivedPacks } from "../../../src/archive/read/archived-packs.ts";
import { formatMillis } from "../../../src/job/model/instant.ts";
import { utcHour } from "../../../src/segment/pack-key.ts";
import { EIGHT, endedJob, HOUR, MINUTE } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";

const CLUSTERS = Array.from({ length: 12 }, (_, n) => `cluster-${n}`);
const hour = utcHour(EIGHT);
let scene: PackedScene;

beforeEach(async () => {
  scene = new PackedScene();
  for (const [n, cluster] of CLUSTERS.entries()) {
    const at = EIGHT + (20 - n) * MINUTE;
    await scene.tell(endedJob({ name: `job-${n}`, createdAt: EIGHT }), at, at, cluster);
  }
  await scene.archive(EIGHT + 2 * HOUR);
});

describe("the packs of an archived hour", () => {
  it("are divided among its shards by cluster, each in order of its keys", async () => {
    const archived = new ArchivedPacks(scene.store);
    const shards = [0, 1, 5];
    const read = await Promise.all(shards.map((shard) => archived.read({ shard, hour, shards })));
    const clusters = read.map((packs) => packs.flatMap(({ items }) => items.map(({ key }) => key.pk)));
    expect(clusters.flat().sort()).toEqual(CLUSTERS.map((cluster) => `${cluster}#20261121`).sort());
    expect(clusters.filter((some) => some.length > 0).length).toBeGreaterThan(1);
    for (const packs of read) expect(packs.map(({ sk }) => sk)).toEqual(packs.map(({ sk }) => sk).sort());
    for (const [n, packs] of read.entries()) {
      for (const { hour: place, items } of packs) {
        expect(place).toEqual({ shard: shards[n], hour });
        expect(items.every(({ key }) => key.pack?.shard === shards[n])).toBe(true);
      }
    }
  });

  it("are read once by readers of the same shard", async () => {
    const archived = new ArchivedPacks(scene.store);
    const place = { shard: 0, hour, shards: [0] };
    const first = await archived.read(place);
    scene.store.objects.clear();
    expect(await archived.read(place)).toBe(first);
    await expect(archived.read({ ...place, hour: utcHour(EIGHT + HOUR) })).rejects.toThrow("it is missing");
  });
});

describe("the position after a sort key", () => {
  const archived = new ArchivedPacks(new PackedScene().store);

  it("is the key, if it is archived", () => {
    const sk = `${formatMillis(EIGHT)}#~east#x`;
    expect(archived.positionAfter(sk)).toBe(sk);
    expect(archived.positionAfter("")).toBe("");
  });

  it("is before segments that arrived at the same time, if it is of the log", () => {
    expect(archived.positionAfter(`${formatMillis(EIGHT)}#abc`)).toBe(formatMillis(EIGHT - 15_000));
  });
});
