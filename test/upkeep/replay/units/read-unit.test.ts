import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../../src/ports/log.ts";
import { listUnits } from "../../../../src/upkeep/replay/units/list-units.ts";
import { readUnit, type UnitStores } from "../../../../src/upkeep/replay/units/read-unit.ts";
import type { LogUnit } from "../../../../src/upkeep/replay/units/replay-unit.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { collect } from "../../../support/running/collect.ts";
import { appendInPacks, appendSingly } from "../../../support/stores/both-layouts.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../../support/stores/memory-packs.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

function sealed(seed: number, at: number): readonly LogItem[] {
  return sealInSegments(fc.sample(arbitraryFact, { numRuns: 24, seed }), 3, at);
}

/** Two days of items of their own, then packs across the end of an hour. */
async function logged() {
  const stores = { log: new MemoryPackedLog(), meta: new MemoryMetaStore() };
  const items = [
    ...(await appendSingly(stores, [...sealed(1, NOON - 24 * HOUR), ...sealed(2, NOON)])),
    ...(await appendInPacks(stores, sealed(3, NOON + HOUR), { size: 1, arrivedAt: NOON + 2 * HOUR - 3_000 })),
  ];
  return { ...stores, items };
}

const keysOf = (items: readonly LogItem[]) => items.map(({ key }) => JSON.stringify(key)).toSorted();

describe("the units of a log", () => {
  it.each([1, 3, 1_000])("have every item once, with at most %i units of a kind", async (most) => {
    const { items, ...stores } = await logged();
    const read: LogItem[] = [];
    for (const unit of await listUnits(stores.meta, most)) {
      for (const batch of await collect(readUnit(stores, unit))) read.push(...batch.items);
    }
    expect(keysOf(read)).toEqual(keysOf(items));
  });

  it("are continued after the place of an item or a pack", async () => {
    const { items, ...stores } = await logged();
    const [days] = await listUnits(stores.meta);
    const single = items.filter(({ key }) => key.pack === undefined);
    const at = single[5];
    expect(await restOf(stores, days, `${at?.key.pk} ${at?.key.sk}`)).toEqual(keysOf(single.slice(6, 8)));
    const sorted = [...stores.log.allPacks].sort((a, b) => (a.sk < b.sk ? -1 : 1));
    const unit = { kind: "packs", from: NOON, to: NOON + 4 * HOUR } as const;
    const after = sorted.slice(4).flatMap((pack) => pack.items);
    const { hour, sk } = sorted[3] ?? { hour: { hour: "" }, sk: "" };
    expect(await restOf(stores, unit, `${hour.hour} ${sk}`)).toEqual(keysOf(after));
  });
});

/** The keys of a unit's items after a place. */
async function restOf(stores: UnitStores, unit: LogUnit | undefined, place: string) {
  if (unit === undefined) throw new Error("The log has more units.");
  return keysOf((await collect(readUnit(stores, unit, place))).flatMap(({ items }) => items));
}
