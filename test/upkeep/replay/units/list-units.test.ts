import { describe, expect, it } from "vitest";
import { logDayKey, logHourKey } from "../../../../src/ports/meta-key.ts";
import { listUnits } from "../../../../src/upkeep/replay/units/list-units.ts";
import { unitId } from "../../../../src/upkeep/replay/units/replay-unit.ts";
import { clusterNamed } from "../../../support/facts/names.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

async function registered(days: readonly [string, string][], hours: readonly string[]): Promise<MemoryMetaStore> {
  const meta = new MemoryMetaStore();
  for (const [cluster, day] of days) {
    await meta.write("logDay", logDayKey(clusterNamed(cluster), day), { value: "{}", expected: 0 });
  }
  for (const hour of hours) {
    for (const shard of [0, 3]) await meta.write("logHour", logHourKey({ hour, shard }), { value: "{}", expected: 0 });
  }
  return meta;
}

describe("the units of a log", () => {
  it("are the days of each cluster, and the quarters of the hours of all shards together", async () => {
    const meta = await registered(
      [
        ["east", "20261120"],
        ["west", "20261120"],
      ],
      ["2026112108"],
    );
    expect((await listUnits(meta)).map(unitId)).toEqual([
      "days east 20261120 20261120",
      "days west 20261120 20261120",
      "packs 2026-11-21T08:00:00Z 2026-11-21T08:15:00Z",
      "packs 2026-11-21T08:15:00Z 2026-11-21T08:30:00Z",
      "packs 2026-11-21T08:30:00Z 2026-11-21T08:45:00Z",
      "packs 2026-11-21T08:45:00Z 2026-11-21T09:00:00Z",
    ]);
  });

  it("are longer where there would be too many, and have each hour and day once", async () => {
    const days: [string, string][] = ["20261118", "20261119", "20261120"].map((day) => ["east", day]);
    const meta = await registered(days, ["2026112108", "2026112109", "2026112120"]);
    expect((await listUnits(meta, 3)).map(unitId)).toEqual([
      "days east 20261118 20261118",
      "days east 20261119 20261119",
      "days east 20261120 20261120",
      "packs 2026-11-21T08:00:00Z 2026-11-21T09:00:00Z",
      "packs 2026-11-21T09:00:00Z 2026-11-21T10:00:00Z",
      "packs 2026-11-21T20:00:00Z 2026-11-21T21:00:00Z",
    ]);
    expect((await listUnits(meta, 2)).map(unitId)).toEqual([
      "days east 20261118 20261119",
      "days east 20261120 20261120",
      "packs 2026-11-21T08:00:00Z 2026-11-21T09:30:00Z",
      "packs 2026-11-21T09:30:00Z 2026-11-21T21:00:00Z",
    ]);
  });

  it("are none of an empty log", async () => {
    expect(await listUnits(new MemoryMetaStore())).toEqual([]);
  });
});
