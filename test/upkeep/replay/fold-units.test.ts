import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { foldOnceMore, runReplayUnits, unitNamed } from "../../../src/upkeep/replay/fold-units.ts";
import { type NumberedReplay, writeCheckpoint } from "../../../src/upkeep/replay/stored-checkpoint.ts";
import { type WorkUnit, unitId } from "../../../src/upkeep/replay/units/replay-unit.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT, send, twoProjections } from "../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const unitOf = (day: string): string => unitId({ kind: "days", cluster: clusterNamed("east"), from: day, to: day });
const UNITS = [unitOf("20261121"), unitOf("20261122")];
const ITEMS = [NOON, NOON + DAY].flatMap((at, seed) =>
  sealInSegments(fc.sample(arbitraryFact, { numRuns: 20, seed }), 4, at),
);

const CHECKPOINT: NumberedReplay = {
  run: 1,
  building: "B",
  stage: { stage: "folding", units: UNITS },
  segments: 0,
  failed: [],
  heldUntil: 0,
};

/** A log whose items are in projection A, and a replay that builds projection B. */
async function openReplay(items: readonly LogItem[] = ITEMS, checkpoint = CHECKPOINT) {
  const all = twoProjections();
  await send(all, items);
  expect(await writeCheckpoint(all.meta, checkpoint, 0)).not.toBe("conflict");
  const contents = (name: "A" | "B") => all.projections.open(name).contents();
  return { all, contents };
}

describe("the units of a replay", () => {
  it("are projected one after the other until the projection has the whole log", async () => {
    const { all, contents } = await openReplay();
    expect(await runReplayUnits(all, { retry: PATIENT }, CHECKPOINT)).toBe("done");
    expect(contents("B")).toEqual(contents("A"));
  });

  it("wait for the next process when there is no time, and continue there", async () => {
    const { all, contents } = await openReplay();
    let left = 1;
    const hasTime = (): boolean => left-- > 0;
    expect(await runReplayUnits(all, { retry: PATIENT, hasTime }, CHECKPOINT)).toBe("paused");
    expect(contents("B")).not.toEqual(contents("A"));
    expect(await runReplayUnits(all, { retry: PATIENT }, CHECKPOINT)).toBe("done");
    expect(contents("B")).toEqual(contents("A"));
  });

  it("are left alone when another replay has begun", async () => {
    const { all, contents } = await openReplay(ITEMS, { ...CHECKPOINT, run: 2 });
    expect(await runReplayUnits(all, { retry: PATIENT }, CHECKPOINT)).not.toBe("done");
    expect(contents("B")).toEqual([]);
  });

  it("of a later release are refused, with what to do", () => {
    expect(() => unitNamed("weeks east 1 2")).toThrow(/does not know: weeks east 1 2\. Update Outlive/);
  });

  it("have names from which they are read", () => {
    const units: readonly WorkUnit[] = UNITS.map(unitNamed);
    expect(units.map(unitId)).toEqual(UNITS);
  });
});

describe("the items that a replay could not project", () => {
  const failed = ITEMS.map(({ key }) => key);

  it("are projected once more, and those that the log no longer has are returned", async () => {
    const gone = { pk: "east#20261121", sk: "20261121T000000000Z#0123456789abcdef#9" };
    const { all, contents } = await openReplay();
    const left = await foldOnceMore(all, { retry: PATIENT }, { ...CHECKPOINT, failed: [...failed, gone] });
    expect(left).toEqual([{ key: gone, cause: "The log no longer has this item." }]);
    expect(contents("B")).toEqual(contents("A"));
  });

  it("wait for the next process when there is no time", async () => {
    const { all } = await openReplay();
    const run = { retry: PATIENT, hasTime: () => false };
    expect(await foldOnceMore(all, run, { ...CHECKPOINT, failed })).toBe("paused");
    expect(await foldOnceMore(all, run, CHECKPOINT)).toEqual([]);
  });
});
