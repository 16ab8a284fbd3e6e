import { describe, expect, it } from "vitest";
import { announce } from "../../../src/log/erasure/stored-erasures.ts";
import type { ReplayStage } from "../../../src/ports/records/replay/replay-checkpoint.ts";
import {
  isCurrentStage,
  isErasedSince,
  recordIdOf,
  unitsLeft,
  unitsOf,
} from "../../../src/upkeep/replay/replay-stage.ts";
import { type NumberedReplay, writeCheckpoint } from "../../../src/upkeep/replay/stored-checkpoint.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const UNIT = "packs 2026-11-21T08:00:00Z 2026-11-21T08:15:00Z";
const SPREAD = { units: [UNIT], since: 0, erasures: 0 };

function replayIn(stage: ReplayStage, run = 1): NumberedReplay {
  return { run, building: "B", stage, segments: 0, failed: [], heldUntil: 0 };
}

const SPREADING = replayIn({ stage: "spreading", ...SPREAD });
const FOLDING = replayIn({ stage: "folding", units: [UNIT] });

describe("the units of a stage", () => {
  it("are listed while their stage lasts", () => {
    expect(unitsOf(replayIn({ stage: "clearing" }))).toBeUndefined();
    expect(unitsOf(SPREADING)).toEqual([UNIT]);
    expect(unitsOf(replayIn({ stage: "joining", ...SPREAD }))).toEqual([UNIT]);
    expect(unitsOf(FOLDING)).toEqual([UNIT]);
    expect(unitsOf(replayIn({ stage: "ended", outcome: "kept" }))).toBeUndefined();
  });

  it("are not done because a unit of that name was done in another stage", () => {
    const done = new Set([recordIdOf(SPREADING, UNIT)]);
    expect(unitsLeft(SPREADING, { done })).toBe(0);
    expect(unitsLeft(FOLDING, { done })).toBe(1);
  });
});

describe("a stage", () => {
  it("is current until the next one, the next replay, or an erasure of what was spread", async () => {
    const meta = new MemoryMetaStore();
    expect(await isCurrentStage(meta, SPREADING)).toBe(false);
    await writeCheckpoint(meta, SPREADING, 0);
    expect(await isCurrentStage(meta, SPREADING)).toBe(true);
    expect(await isCurrentStage(meta, FOLDING)).toBe(false);
    expect(await isCurrentStage(meta, { ...SPREADING, run: 2 })).toBe(false);
    await announce(meta);
    expect(await isCurrentStage(meta, SPREADING)).toBe(false);
    expect(await isErasedSince(meta, SPREADING)).toBe(true);
    expect(await isErasedSince(meta, FOLDING)).toBe(false);
  });
});
