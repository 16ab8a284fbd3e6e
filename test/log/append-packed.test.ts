import { describe, expect, it } from "vitest";
import { appendPacked, type Packer } from "../../src/log/append-packed.ts";
import type { SealedItem } from "../../src/log/ingest-segment.ts";
import { LogHourRegistry } from "../../src/log/log-hour-registry.ts";
import { logHours } from "../../src/log/read-log.ts";
import { collect } from "../support/running/collect.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../support/stores/memory-packs.ts";
import { openedSegment } from "../support/stores/sealed-segments.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

function open(shards = 1) {
  const [log, meta] = [new MemoryPackedLog(), new MemoryMetaStore()];
  const packer: Packer = { packs: log.packs, hours: new LogHourRegistry(meta), shards, now: () => NOON };
  return { log, meta, packer };
}

function arrive(items: readonly SealedItem[], isAlone = false) {
  return items.map((item) => ({ item, isAlone }));
}

describe("segments that arrive together", () => {
  it("are appended as one pack, each with its place", async () => {
    const { log, packer } = open();
    const outcomes = await appendPacked(packer, arrive([openedSegment(1), openedSegment(2)]));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended", "appended"]);
    expect(log.allPacks).toHaveLength(1);
    for (const one of outcomes) {
      if (!("item" in one)) throw new Error(one.outcome);
      expect(one.item.key.pack).toEqual({ shard: 0, arrivedAt: NOON });
      expect(await log.read(one.item.key)).toMatchObject({ sha256: one.item.sha256 });
    }
  });

  it("are appended once if the batch has a message twice", async () => {
    const { log, packer } = open();
    const outcomes = await appendPacked(packer, arrive([openedSegment(1), openedSegment(1)]));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended", "duplicate"]);
    expect(log.allPacks.flatMap(({ items }) => items)).toHaveLength(1);
  });

  it("conflict where two have one name and different content", async () => {
    const { log, packer } = open();
    const other = { ...openedSegment(1), sha256: "f".repeat(64) };
    const [first, second] = await appendPacked(packer, arrive([openedSegment(1), other]));
    expect(first?.outcome).toBe("appended");
    expect(second).toEqual({ outcome: "conflict", storedSha256: openedSegment(1).sha256 });
    expect(log.allPacks.flatMap(({ items }) => items)).toHaveLength(1);
  });

  it("fail together with their pack, and only with it", async () => {
    const { log, packer } = open();
    log.takes = 1;
    const outcomes = await appendPacked(packer, [
      ...arrive([openedSegment(1), openedSegment(2)]),
      ...arrive([openedSegment(3)], true),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended", "appended", "failed"]);
  });

  it("are in a pack of their own if they may be what makes writes fail", async () => {
    const { log, packer } = open();
    await appendPacked(packer, arrive([openedSegment(1), openedSegment(2), openedSegment(3)], true));
    expect(log.allPacks.map(({ items }) => items.length)).toEqual([1, 1, 1]);
  });

  it("record their hour before the first pack of it", async () => {
    const { log, meta, packer } = open();
    const hoursAtAppend: number[] = [];
    const packs: Packer["packs"] = {
      ...log.packs,
      append: async () => void hoursAtAppend.push((await collect(logHours(meta))).length),
    };
    await appendPacked({ ...packer, packs }, arrive([openedSegment(1)]));
    expect(hoursAtAppend).toEqual([1]);
    expect(await collect(logHours(meta))).toEqual([{ shard: 0, hour: "2026112112" }]);
  });
});
