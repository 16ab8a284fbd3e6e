import { describe, expect, it } from "vitest";
import { holdSchedules, releaseSchedules } from "../../../../src/count/metrics/schedules/schedule-position.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";

const MINUTE = 60_000;
const run = (now: number) => ({ now, everyMillis: 5 * MINUTE });

describe("the position of counted schedules", () => {
  it("is held by one process for five minutes, also if it is killed", async () => {
    const meta = new MemoryMetaStore();
    const both = await Promise.all([holdSchedules(meta, run(0)), holdSchedules(meta, run(0))]);
    expect(both.filter((held) => held !== undefined)).toHaveLength(1);
    expect(await holdSchedules(meta, run(4 * MINUTE))).toBeUndefined();
    expect(await holdSchedules(meta, run(5 * MINUTE))).toBeDefined();
  });

  it("is held by no process where each run counts", async () => {
    const meta = new MemoryMetaStore();
    for (const now of [7, 7, 0]) expect(await holdSchedules(meta, { now, everyMillis: 0 })).toBeDefined();
  });

  it("is free at once where a cluster was not finished", async () => {
    const meta = new MemoryMetaStore();
    const held = await holdSchedules(meta, run(0));
    if (held === undefined) throw new Error("No other process counts.");
    await releaseSchedules(meta, held, { countedUntil: { east: 7 }, unfinished: "west", now: 0 });
    expect((await holdSchedules(meta, run(1)))?.position).toMatchObject({
      countedUntil: { east: 7 },
      unfinished: "west",
    });
  });

  it("does not write over that of a process that began later", async () => {
    const meta = new MemoryMetaStore();
    const first = await holdSchedules(meta, run(0));
    await holdSchedules(meta, run(5 * MINUTE));
    if (first === undefined) throw new Error("No other process counts.");
    await releaseSchedules(meta, first, { countedUntil: { east: 7 }, now: 0 });
    expect((await holdSchedules(meta, run(10 * MINUTE)))?.position.countedUntil).toEqual({});
  });
});
