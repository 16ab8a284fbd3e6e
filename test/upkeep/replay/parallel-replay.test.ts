import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../src/ports/log.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { moveLivePointer, readLivePointer } from "../../../src/projection/live-projection.ts";
import {
  finishUnits,
  type PreparedStage,
  prepareUnits,
  replayProgress,
  runUnitStep,
} from "../../../src/upkeep/replay/parallel-replay.ts";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import { readCheckpoint } from "../../../src/upkeep/replay/stored-checkpoint.ts";
import type { ReplayPorts } from "../../../src/upkeep/replay/replay-run.ts";
import { arbitraryFact } from "../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../support/facts/large-job-facts.ts";
import { appendInPacks, appendSingly } from "../../support/stores/both-layouts.ts";
import { KilledError, Process } from "../../support/killed/killed-at.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../support/stores/memory-packs.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";
import { sealInSegments } from "../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const PODS = 300;
const LARGE = [
  ...largeJobFacts({ indexed: false, completions: PODS }),
  ...Array.from({ length: PODS }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat(),
];

function stores() {
  return { log: new MemoryPackedLog(), meta: new MemoryMetaStore(), projections: new MemoryProjections() };
}
type Stores = ReturnType<typeof stores>;

const run = { retry: PATIENT, hold: { now: () => NOON, millis: 16 * 60_000 } };

async function project(all: Stores, items: readonly LogItem[]): Promise<void> {
  expect((await projectLive(all, items, PATIENT)).refold).toEqual([]);
}

/** Items of their own, then packs of several hours, so that each Job's facts are in several units. */
async function send(all: Stores, items: readonly LogItem[]): Promise<void> {
  const third = Math.floor(items.length / 3);
  await project(all, [
    ...(await appendSingly(all, items.slice(0, third))),
    ...(await appendInPacks(all, items.slice(third, 2 * third), { arrivedAt: NOON + HOUR - 2_000 })),
    ...(await appendInPacks(all, items.slice(2 * third), { arrivedAt: NOON + 3 * HOUR })),
    ...(await appendInPacks(all, items.slice(-2), { arrivedAt: NOON + 4 * HOUR })),
  ]);
}

/** Runs a step in processes that are each killed after this many requests, and restarts it like Step Functions. */
async function untilAlive<Outcome>(
  all: Stores,
  lives: Iterator<number>,
  step: (ports: ReplayPorts) => Promise<Outcome>,
) {
  for (;;) {
    const { value = Number.POSITIVE_INFINITY } = lives.next() as { value?: number };
    const process = new Process(value);
    const ports = {
      log: process.over(all.log),
      meta: process.over(all.meta),
      projections: process.over(all.projections),
    };
    try {
      return await step(ports);
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
    }
  }
}

async function replay(all: Stores, lives: readonly number[]) {
  const left = lives.values();
  expect(await startReplay(all.meta)).toBe("started");
  const prepared = await untilAlive(all, left, (ports) => prepareUnits(ports, run));
  if (prepared.outcome !== "prepared") return prepared;
  await Promise.all(
    prepared.units.map(async (unit) => {
      let outcome = "paused";
      while (outcome === "paused") {
        ({ outcome } = await untilAlive(all, left, (ports) => runUnitStep(ports, run, { run: prepared.run, unit })));
      }
      expect(outcome).toBe("done");
    }),
  );
  return untilAlive(all, left, (ports) => finishUnits(ports, run));
}

const DAMAGED: LogItem = {
  key: { pk: "east#20261121", sk: "damaged" },
  bytes: new Uint8Array(20),
  sha256: "00",
  factCount: 1,
};

interface Done {
  readonly all: Stores;
  readonly prepared: PreparedStage;
}

/** A replay whose units are done. */
async function replayOf(...more: readonly LogItem[]): Promise<Done> {
  const all = stores();
  await send(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 12, seed: 7 }), 3, NOON));
  for (const item of more) await all.log.append(item);
  await startReplay(all.meta);
  const prepared = await prepareUnits(all, run);
  if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
  for (const unit of prepared.units) await runUnitStep(all, run, { run: prepared.run, unit });
  return { all, prepared };
}

describe("a replay with a worker for each unit", () => {
  it("equals the live projection byte for byte, wherever workers are killed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 20 }),
        async (seed, lives) => {
          const all = stores();
          const facts = [...fc.sample(arbitraryFact, { numRuns: 60, seed }), ...LARGE];
          await send(all, sealInSegments(facts, 40, NOON));
          const live = all.projections.open("A").contents();
          const records = recordsOf(all.meta);
          const ended = await replay(all, lives);
          expect(ended).toMatchObject({ outcome: "switched", live: "B" });
          expect(await readLivePointer(all.meta)).toMatchObject({ live: "B" });
          expect(all.projections.open("B").contents()).toEqual(live);
          expect(recordsOf(all.meta)).toEqual(records);
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  it("does not switch while a unit is not done, and continues with that unit only", async () => {
    const all = stores();
    await send(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 4 }), 3, NOON));
    await startReplay(all.meta);
    const prepared = await prepareUnits(all, run);
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    const [first = "", ...others] = prepared.units;
    for (const unit of others) await runUnitStep(all, run, { run: prepared.run, unit });
    expect(await finishUnits(all, run)).toEqual({ outcome: "unfinished", left: 1 });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A", building: "B" });
    expect(await prepareUnits(all, run)).toEqual(prepared);
    const stored = await readCheckpoint(all.meta);
    if (stored === undefined) throw new Error("A replay is running.");
    expect(await replayProgress(all, stored)).toMatchObject({ units: prepared.units.length, done: others.length });
    expect(await runUnitStep(all, run, { run: prepared.run, unit: first })).toEqual({ outcome: "done" });
    expect(await finishUnits(all, run)).toMatchObject({ outcome: "switched", live: "B" });
    expect(all.projections.open("B").contents()).toEqual(all.projections.open("A").contents());
  });

  it("refuses steps without a replay, and ends the workers of one that was replaced", async () => {
    const all = stores();
    await send(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 12, seed: 5 }), 3, NOON));
    expect(await prepareUnits(all, run)).toMatchObject({ outcome: "refused" });
    expect(await finishUnits(all, run)).toMatchObject({ outcome: "refused" });
    await startReplay(all.meta);
    const prepared = await prepareUnits(all, run);
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    await startReplay(all.meta);
    const [unit = ""] = prepared.units;
    expect(await runUnitStep(all, run, { run: prepared.run, unit })).toEqual({ outcome: "ended" });
    const again = await prepareUnits(all, run);
    if (again.outcome !== "prepared") throw new Error(again.outcome);
    await expect(runUnitStep(all, run, { run: again.run, unit: "days of thunder" })).rejects.toThrow(
      "a unit that this release does not know: days of thunder",
    );
  });

  it("that cannot be completed says so wherever its last step is killed, and again", async () => {
    let isKilled = true;
    for (let life = 0; isKilled; life += 1) {
      const { all, prepared } = await replayOf(DAMAGED);
      const left = [life, Number.POSITIVE_INFINITY].values();
      const ended = await untilAlive(all, left, (ports) => finishUnits(ports, run, prepared));
      expect(ended).toMatchObject({ outcome: "incomplete", refold: [{ key: { sk: "damaged" } }], segments: 7 });
      expect(await finishUnits(all, run, prepared)).toMatchObject({ outcome: "incomplete", segments: 7 });
      const { version: _, ...pointer } = await readLivePointer(all.meta);
      expect(pointer).toEqual({ live: "A" });
      isKilled = left.next().done === true;
    }
  });

  it("gives its answer again, and none to a step of another replay", async () => {
    const { all, prepared } = await replayOf();
    const ended = await finishUnits(all, run, prepared);
    expect(ended).toMatchObject({ outcome: "switched", live: "B" });
    expect(await finishUnits(all, run, prepared)).toEqual(ended);
    expect(await finishUnits(all, run, { ...prepared, run: prepared.run + 1 })).toMatchObject({ outcome: "refused" });
  });

  it("ends with the earlier projection if nothing marks the rebuilt one any more", async () => {
    const { all, prepared } = await replayOf();
    await moveLivePointer(all.meta, await readLivePointer(all.meta), { live: "A" });
    expect(await finishUnits(all, run, prepared)).toMatchObject({ outcome: "incomplete", refold: [], refused: [] });
    expect(await finishUnits(all, run, prepared)).toMatchObject({ outcome: "incomplete" });
  });

  it("is ended by one of two steps at once", async () => {
    const { all, prepared } = await replayOf();
    const settle = async () => {
      expect(await finishUnits(all, run, prepared)).toMatchObject({ outcome: "switched", live: "B" });
      return undefined;
    };
    expect(await finishUnits({ ...all, settle }, run, prepared)).toEqual({ outcome: "overtaken" });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "B" });
  });

  it("cannot be replaced while its last step is at work", async () => {
    const { all, prepared } = await replayOf();
    const settle = async () => {
      expect(await startReplay(all.meta, { now: NOON })).toBe("held");
      return undefined;
    };
    expect(await finishUnits({ ...all, settle }, run, prepared)).toMatchObject({ outcome: "switched" });
    expect((await readCheckpoint(all.meta))?.checkpoint.heldUntil).toBe(0);
  });

  it("does not switch to what a later replay has just begun to rebuild", async () => {
    const { all, prepared } = await replayOf();
    const settle = async () => {
      await startReplay(all.meta);
      expect(await prepareUnits(all, run)).toMatchObject({ outcome: "prepared" });
      return undefined;
    };
    expect(await finishUnits({ ...all, settle }, run, prepared)).toEqual({ outcome: "overtaken" });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A", building: "B" });
  });

  it("cannot be replaced while a worker may be at work", async () => {
    const all = stores();
    await send(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 12, seed: 6 }), 3, NOON));
    await startReplay(all.meta);
    const prepared = await prepareUnits(all, run);
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    const [unit = ""] = prepared.units;
    const process = new Process(6);
    const dying = { ...all, log: process.over(all.log), meta: process.over(all.meta) };
    await expect(runUnitStep(dying, run, { run: prepared.run, unit })).rejects.toThrow(KilledError);
    expect(await startReplay(all.meta, { now: NOON + 1 })).toBe("held");
    expect(await startReplay(all.meta, { now: NOON + 16 * 60_000 })).toBe("started");
  });
});

/** Nodes, CronJobs, gaps, hints, clusters and namespaces. */
function recordsOf(meta: MemoryMetaStore): readonly string[] {
  return meta.contents().filter((text) => /^(node|cronjob|gap|hints|cluster|namespace)\|/.test(text));
}
