import { describe, expect, it } from "vitest";
import { packSegments } from "../../src/log/pack-segments.ts";
import type { LogItem } from "../../src/ports/log.ts";
import { numberedSegment } from "../support/stores/sealed-segments.ts";

const ARRIVED_AT = Date.UTC(2026, 10, 21, 23, 59, 59, 999);

function itemsOf(sizes: readonly number[]): readonly LogItem[] {
  return sizes.map((size, number) => ({ ...numberedSegment(number + 1), bytes: new Uint8Array(size) }));
}

function pack(items: readonly LogItem[], { arrivedAt = ARRIVED_AT, shards = 4 } = {}) {
  return packSegments(items, { arrivedAt, shards });
}

describe("segments that arrive together", () => {
  it.each([
    ["none", [], []],
    ["one", [500], [1]],
    ["ten small ones", Array.from({ length: 10 }, () => 400), [10]],
    ["those that fill a pack exactly", [8_192, 8_192, 1], [2, 1]],
    ["one that is larger than a pack", [100, 60_000, 100], [1, 1, 1]],
  ])("share as few packs as their sizes allow: %s", (_, sizes, counts) => {
    expect(pack(itemsOf(sizes)).map(({ items }) => items.length)).toEqual(counts);
  });

  it("keep their order, and get the place of their pack", () => {
    const items = itemsOf([1, 2, 3]);
    const [packed] = pack(items);
    const place = { shard: packed?.hour.shard, arrivedAt: ARRIVED_AT };
    expect(packed?.hour.hour).toBe("2026112123");
    expect(packed?.items).toEqual(items.map((item) => ({ ...item, key: { ...item.key, pack: place } })));
  });

  it("make a pack whose name depends on their names and content only", () => {
    const items = itemsOf([1, 2]);
    const [name, ...others] = [
      items,
      items.toReversed(),
      items.slice(1),
      items.map((item) => ({ ...item, sha256: "0" })),
    ].map((some) => pack(some)[0]?.sk.split("#")[1]);
    expect(name).toMatch(/^[0-9a-f]{16}$/);
    expect(others).toEqual([name, expect.not.stringMatching(name ?? ""), expect.not.stringMatching(name ?? "")]);
  });

  it("are distributed over all shards", () => {
    const shards = Array.from({ length: 64 }, (_, number) => pack([numberedSegment(number + 1)])[0]?.hour.shard);
    expect(new Set(shards)).toEqual(new Set([0, 1, 2, 3]));
    expect(
      new Set(shards.map((_, number) => pack([numberedSegment(number + 1)], { shards: 1 })[0]?.hour.shard)),
    ).toEqual(new Set([0]));
  });
});
