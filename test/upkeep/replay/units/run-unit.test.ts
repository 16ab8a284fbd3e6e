import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { LogItem } from "../../../../src/ports/log.ts";
import type { Refold } from "../../../../src/ports/refold-queue.ts";
import { unitKey } from "../../../../src/ports/meta-key.ts";
import { readRecord } from "../../../../src/ports/records/record-codec.ts";
import { unitRecord } from "../../../../src/ports/records/replay/unit-record.ts";
import { foldedBatches } from "../../../../src/upkeep/replay/fold-units.ts";
import { listUnits } from "../../../../src/upkeep/replay/units/list-units.ts";
import { runUnit, type UnitBatch, type UnitWork } from "../../../../src/upkeep/replay/units/run-unit.ts";
import { MOST_FAILED, unitProgress } from "../../../../src/upkeep/replay/units/unit-progress.ts";
import { type LogUnit, unitId } from "../../../../src/upkeep/replay/units/replay-unit.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { send, twoProjections, type TwoProjections } from "../../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const ITEMS = sealInSegments(fc.sample(arbitraryFact, { numRuns: 12, seed: 3 }), 2, NOON);

let all: TwoProjections;
let unit: LogUnit;
let processed: LogItem[];

beforeEach(async () => {
  all = twoProjections();
  await send(all, ITEMS);
  const [first] = await listUnits(all.meta);
  if (first === undefined) throw new Error("The log has a unit.");
  unit = first;
  processed = [];
});

async function process(items: readonly LogItem[]) {
  processed.push(...items);
  return [];
}

type Process = (items: readonly LogItem[]) => Promise<readonly Refold[]>;

function run({ project = process, ...change }: Partial<UnitWork> & { readonly project?: Process } = {}) {
  const batches = (place?: string) => foldedBatches(all, { unit, project }, place);
  return runUnit(all, { id: unitId(unit), run: 1, batches, isCurrent: async () => true, ...change });
}

const record = async () => (await readRecord(all.meta, unitRecord, unitKey(unitId(unit))))?.value;

describe("a unit", () => {
  it("is processed once in each run, however often it is started", async () => {
    expect(await run()).toBe("done");
    expect(await run()).toBe("done");
    expect(processed).toHaveLength(ITEMS.length);
    expect(await run({ run: 2 })).toBe("done");
    expect(processed).toHaveLength(2 * ITEMS.length);
  });

  it("counts its items and facts", async () => {
    await run();
    expect(await unitProgress(all.meta, 1)).toMatchObject({
      done: new Set([unitId(unit)]),
      segments: ITEMS.length,
      facts: 12,
      failed: [],
    });
    expect(await unitProgress(all.meta, 2)).toMatchObject({ done: new Set(), segments: 0 });
  });

  it("keeps its place until it is done", async () => {
    const places = ["1", "2"];
    async function* batches(from?: string) {
      for (const place of places.filter((one) => one > (from ?? ""))) {
        yield { place, segments: 0, facts: 0, apply: async () => ({ failed: [] }) };
      }
    }
    let asked = 0;
    expect(await run({ batches, hasTime: () => asked++ === 0 })).toBe("paused");
    expect(await record()).toMatchObject({ place: "1" });
    expect(await run({ batches })).toBe("done");
    expect(await record()).not.toHaveProperty("place");
  });

  it("is paused without time, and is not marked any more", async () => {
    const hold = { now: () => NOON, millis: 1_000 };
    expect(await run({ hold, hasTime: () => false })).toBe("paused");
    expect(processed).toEqual([]);
    expect(await record()).toMatchObject({ isDone: false, heldUntil: 0 });
  });

  it("is marked while a worker processes it", async () => {
    let heldUntil: number | undefined;
    const hold = { now: () => NOON, millis: 1_000 };
    const look = async () => {
      ({ heldUntil } = await unitProgress(all.meta, 1));
      return [];
    };
    await run({ hold, project: look });
    expect(heldUntil).toBe(NOON + 1_000);
    expect(await unitProgress(all.meta, 1)).toMatchObject({ heldUntil: 0 });
  });

  it("is left by a worker while another one processes it, and by all when another replay has started", async () => {
    const interrupted = async () => {
      await run();
      return [];
    };
    expect(await run({ project: interrupted })).toBe("overtaken");
    expect(await record()).toMatchObject({ isDone: true });
    expect(await run({ run: 2, isCurrent: async () => false })).toBe("overtaken");
    expect(processed).toHaveLength(ITEMS.length);
  });

  it("has the items that failed, and stops if they are too many", async () => {
    const [failing] = ITEMS;
    if (failing === undefined) throw new Error("The log has items.");
    const failures = (count: number) => async () => Array.from({ length: count }, () => ({ ...failing, cause: "x" }));
    await run({ project: failures(1) });
    expect(await unitProgress(all.meta, 1)).toMatchObject({ failed: [failing.key], isBroken: false });
    await run({ run: 2, project: failures(MOST_FAILED) });
    expect(await unitProgress(all.meta, 2)).toMatchObject({ done: new Set([unitId(unit)]), isBroken: true });
  });

  it("notes the Jobs that were refused, and ends when they are too many", async () => {
    const batch = (place: string, count: number): UnitBatch => ({
      place,
      segments: 0,
      facts: 0,
      apply: async () => ({
        failed: [],
        refused: Array.from({ length: count }, (_, job) => ({ job: `${job}`, reason })),
      }),
    });
    const reason = "It is damaged.";
    const places: string[] = [];
    async function* batches() {
      for (const [place, count] of [
        ["1", 2],
        ["2", MOST_FAILED],
        ["3", 1],
      ] as const) {
        places.push(place);
        yield batch(place, count);
      }
    }
    expect(await run({ batches })).toBe("done");
    expect(places).toEqual(["1", "2"]);
    const { refused } = await unitProgress(all.meta, 1);
    expect(refused).toHaveLength(MOST_FAILED);
    expect(refused.slice(0, 3).map(({ job }) => job)).toEqual(["0", "1", "0"]);
  });
});
