import { describe, expect, it } from "vitest";
import { LogHourRegistry } from "../../../../src/log/log-hour-registry.ts";
import { announce } from "../../../../src/log/erasure/stored-erasures.ts";
import { joiningStage, spreadingStage } from "../../../../src/upkeep/replay/spread/spread-stages.ts";
import { utcHour } from "../../../../src/segment/pack-key.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;

describe("the stage that spreads", () => {
  it("has a unit for each part of the log, and lists an idle projection in as many parts, up to 64", async () => {
    const meta = new MemoryMetaStore();
    expect(await spreadingStage(meta, NOON)).toMatchObject({ units: ["table 0 1", "runTable 0 1"] });
    for (let hour = 0; hour < 20; hour += 1) {
      await new LogHourRegistry(meta).note({ hour: utcHour(NOON + hour * 60 * MINUTE), shard: 0 });
      const { units } = (await spreadingStage(meta, NOON)) as { readonly units: readonly string[] };
      const parts = Math.min(64, 4 * (hour + 1));
      expect(units.filter((unit) => unit.startsWith("table "))).toHaveLength(parts);
      expect(units.filter((unit) => unit.startsWith("runTable "))).toHaveLength(parts);
      expect(units.filter((unit) => unit.startsWith("packs "))).toHaveLength(4 * (hour + 1));
    }
  });

  it("begins before the packs that may still be written, and knows the erasures", async () => {
    const meta = new MemoryMetaStore();
    expect(await spreadingStage(meta, NOON)).toMatchObject({ since: NOON - 16 * MINUTE, erasures: 0 });
    await announce(meta);
    expect(await spreadingStage(meta, NOON)).toMatchObject({ erasures: 1 });
  });
});

describe("the stage that joins", () => {
  const before = { units: [], since: NOON, erasures: 3 };

  it.each([
    ["joining", [], ["bucket 0 0"]],
    [
      "joining",
      ["log 1 a", "table 2 b", "log 0 c", "runs 3 d"],
      ["bucket 0 2", "bucket 1 2", "bucket 2 2", "bucket 3 2"],
    ],
    ["joiningRuns", ["log 1 a", "runTable 1 b", "runs 0 c"], ["runBucket 0 1", "runBucket 1 1"]],
  ] as const)("has as many buckets as its largest group: %s %j", async (stage, spread, units) => {
    let begun = 0;
    const idle = { begin: async () => void (begun += 1) };
    expect(await joiningStage(idle, { stage, before }, { spread })).toEqual({
      stage,
      units,
      since: NOON,
      erasures: 3,
    });
    expect(begun).toBe(1);
  });
});
