import { describe, expect, it } from "vitest";
import { listShards, noteActive } from "../../src/count/counted-shard.ts";
import { EARLIEST } from "../../src/job/model/instant.ts";
import { CountScene, HOUR } from "../support/stores/count-scene.ts";

describe("the shards of a stream", () => {
  it("are listed once each, from an hour in which they had writes", async () => {
    const { ports, now } = new CountScene();
    await noteActive(ports, "ended", now);
    for (const hours of [0, 1, 2, 2]) await noteActive(ports, "open", now + hours * HOUR);
    const namesFrom = async (from: number) => (await listShards(ports, from)).map(({ shard }) => shard);
    expect(await namesFrom(EARLIEST)).toEqual(["ended", "open"]);
    expect(await namesFrom(now)).toEqual(["ended", "open"]);
    expect(await namesFrom(now + HOUR)).toEqual(["open"]);
    expect(await namesFrom(now + 3 * HOUR)).toEqual([]);
  });
});
