import { describe, expect, it } from "vitest";
import { fromPack, isPackItem, itemsOfPack } from "../../../../src/adapters/dynamodb/log/pack-item.ts";
import { packSegments } from "../../../../src/log/pack-segments.ts";
import { readLogItem } from "../../../../src/projection/log-segment.ts";
import { numberedSegment } from "../../../support/stores/sealed-segments.ts";

const ARRIVED_AT = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;

function packItem() {
  const [pack] = packSegments([1, 2].map(numberedSegment), { arrivedAt: ARRIVED_AT, shards: 1 });
  if (pack === undefined) throw new Error("There is nothing to pack.");
  return { pack, item: fromPack(pack, 400) };
}

describe("a pack as an item", () => {
  it("is read as its segments", () => {
    const { pack, item } = packItem();
    expect(isPackItem(item)).toBe(true);
    expect(itemsOfPack(item).map(({ key }) => key)).toEqual(pack.items.map(({ key }) => key));
  });

  it("expires some days after it arrived", () => {
    expect(Number(packItem().item["ttl"]?.N) * 1_000).toBe(ARRIVED_AT + 400 * DAY);
  });

  it("is one unreadable item under its own key if it is damaged", () => {
    const { item } = packItem();
    const [damaged, ...more] = itemsOfPack({ ...item, pack: { B: Uint8Array.of(0x50, 0, 0, 0, 9) } });
    expect(more).toEqual([]);
    expect(damaged?.key).toEqual({ pk: item["pk"]?.S, sk: item["sk"]?.S });
    expect(damaged && readLogItem(damaged)).toMatchObject({ outcome: "unreadable" });
  });
});
