import { describe, expect, it } from "vitest";
import { holdSchedules, releaseSchedules } from "../../../../src/count/metrics/schedules/schedule-position.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

const MINUTE = 60_000;

describe("the position of counted schedules", () => {
  it("is held by one process for five minutes, also if it is killed", async () => {
    const meta = new MemoryMetaStore();
    const both = await Promise.all([holdSchedules(meta, 0), holdSchedules(meta, 0)]);
    expect(both.filter((held) => held !== undefined)).toHaveLength(1);
    expect(await holdSchedules(meta, 4 * MINUTE)).toBeUndefined();
    expect(await holdSchedules(meta, 5 * MINUTE)).toBeDefined();
  });

  it("is free at once where a cluster was not finished", async () => {
    const meta = new MemoryMetaStore();
    const held = await holdSchedules(meta, 0);
    if (held === undefined) throw new Error("No other process counts.");
    await releaseSchedules(meta, held, { countedUntil: { east: 7 }, unfinished: "west", now: 0 });
    expect((await holdSchedules(meta, 1))?.position).toMatchObject({ countedUntil: { east: 7 }, unfinished: "west" });
  });

  it("does not write over that of a process that began later", async () => {
    const meta = new MemoryMetaStore();
    const first = await holdSchedules(meta, 0);
    await holdSchedules(meta, 5 * MINUTE);
    if (first === undefined) throw new Error("No other process counts.");
    await releaseSchedules(meta, first, { countedUntil: { east: 7 }, now: 0 });
    expect((await holdSchedules(meta, 10 * MINUTE))?.position.countedUntil).toEqual({});
  });
});
