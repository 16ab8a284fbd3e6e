import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogItem } from "../../../../src/ports/log.ts";
import { announce } from "../../../../src/log/erasure/stored-erasures.ts";
import { listRecords } from "../../../../src/ports/list-records.ts";
import type { ProjectionName } from "../../../../src/ports/projections.ts";
import { ONLY_PROJECTOR, type Projector } from "../../../../src/projection/projector.ts";
import { readLivePointer } from "../../../../src/projection/live-projection.ts";
import { projectLive } from "../../../../src/projection/project-segments.ts";
import {
  finishUnits,
  prepareUnits,
  replayProgress,
  runUnitStep,
} from "../../../../src/upkeep/replay/parallel-replay.ts";
import { rebuildProjection, startReplay, type StartOptions } from "../../../../src/upkeep/replay/rebuild-projection.ts";
import type { ReplayPorts } from "../../../../src/upkeep/replay/replay-run.ts";
import { readCheckpoint } from "../../../../src/upkeep/replay/stored-checkpoint.ts";
import { arbitraryFact } from "../../../support/facts/arbitrary-facts.ts";
import { largeJobFacts, podBeginFacts, podEndFacts } from "../../../support/facts/large-job-facts.ts";
import { clusterNamed, jobUid } from "../../../support/facts/names.ts";
import { appendInPacks } from "../../../support/stores/both-layouts.ts";
import { memberFacts, runFacts, runUidNamed } from "../../../support/facts/run-facts.ts";
import { collect } from "../../../support/running/collect.ts";
import { KilledError, Process } from "../../../support/killed/killed-at.ts";
import { MemoryMetaStore } from "../../../support/stores/memory-meta-store.ts";
import { MemoryObjects } from "../../../support/stores/memory-objects.ts";
import { MemoryPackedLog } from "../../../support/stores/memory-packs.ts";
import { MemoryIdleJobs, MemoryProjections } from "../../../support/stores/memory-projections.ts";
import { sealInSegments } from "../../../support/stores/seal-in-segments.ts";
import { PATIENT } from "../../../support/stores/two-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const PODS = 300;
const LARGE = [
  ...largeJobFacts({ indexed: false, completions: PODS }),
  ...Array.from({ length: PODS }, (_, number) => [...podBeginFacts(number), ...podEndFacts(number)]).flat(),
];
/** The replay begins an hour after the last of the first segments. */
const BEGIN = NOON + 5 * HOUR;
const run = { retry: PATIENT, hold: { now: () => BEGIN, millis: 16 * 60_000 } };
const KEPT_PROJECTOR: Projector = { kind: "live", isKept: ({ project }) => project === "12" };
const RUN = { name: "train", createdAt: NOON, jobs: ["train-0", "train-1"], running: ["train-2"] };
const TRAIN = { cluster: clusterNamed("east"), jobUid: jobUid(runUidNamed(RUN.name)) };
const GONE = { cluster: clusterNamed("east"), jobUid: jobUid("00000000-0000-4000-8000-00000000dead") };

function stores() {
  const projections = new MemoryProjections();
  const idle = (name: ProjectionName) => projections.idle(name);
  const idleRuns = (name: ProjectionName) => projections.idleRuns(name);
  const [log, meta, objects] = [new MemoryPackedLog(), new MemoryMetaStore(), new MemoryObjects()];
  return { log, meta, projections, idle, idleRuns, objects };
}
type Stores = ReturnType<typeof stores>;

async function send(
  all: Stores,
  items: readonly LogItem[],
  arrivedAt: number,
  projectors: readonly Projector[] = [ONLY_PROJECTOR],
): Promise<void> {
  const appended = await appendInPacks(all, items, { arrivedAt });
  for (const projector of projectors) {
    expect((await projectLive({ ...all, projector }, appended, PATIENT)).refold).toEqual([]);
  }
}

/** Each Job's facts are in several units. */
async function sendAll(all: Stores, items: readonly LogItem[]): Promise<void> {
  const half = Math.floor(items.length / 2);
  await send(all, items.slice(0, half), NOON + HOUR - 2_000);
  await send(all, items.slice(half), NOON + 3 * HOUR);
  await send(all, items.slice(-2), NOON + 4 * HOUR);
}

/** What an idle projection may have: earlier states, wrong ones, and Jobs that the log does not have. */
async function makeStale(all: Stores, items: readonly LogItem[]): Promise<void> {
  const idle = all.projections.open("B");
  const { jobs } = { jobs: idle };
  const { projectSegments } = await import("../../../../src/projection/project-segments.ts");
  await projectSegments({ jobs, meta: all.meta, jobsOnly: true }, items.slice(0, items.length / 2), PATIENT);
  const [first] = [...idle.states.keys()];
  const other = first === undefined ? undefined : idle.states.get(first);
  if (first !== undefined && other !== undefined) {
    idle.states.set(first, { ...other, bytes: Uint8Array.from([...other.bytes, 1]) });
  }
  await idle.write(GONE, { bytes: Uint8Array.of(1) }, 0);
  const runs = all.projections.runs("B");
  await runs.write(GONE, { bytes: Uint8Array.of(1) }, 0);
  await runs.write(TRAIN, { bytes: Uint8Array.of(1) }, 0);
}

function portsOf(all: Stores, process = new Process(Number.POSITIVE_INFINITY)): ReplayPorts {
  return {
    log: process.over(all.log),
    meta: process.over(all.meta),
    projections: {
      open: (name) => process.over(all.projections.open(name)),
      runs: (name) => process.over(all.projections.runs(name)),
    },
    spread: {
      objects: process.over(all.objects),
      idle: (name) => process.over(all.idle(name)),
      idleRuns: (name) => process.over(all.idleRuns(name)),
      isOutage: (cause) => cause instanceof KilledError || cause instanceof OutageError,
    },
  };
}

class OutageError extends Error {
  override readonly name = "OutageError";
}

/** Stores whose idle projection fails with what `failureOf` returns for a Job. */
function failing(all: Stores, failureOf: (job: string) => Error | undefined): Stores {
  const idle = (name: ProjectionName) => {
    const jobs = all.projections.idle(name);
    jobs.entryOf = async (key, state) => {
      const failure = failureOf(`${key.cluster}|${key.jobUid}`);
      if (failure !== undefined) throw failure;
      return MemoryIdleJobs.prototype.entryOf.call(jobs, key, state);
    };
    return jobs;
  };
  return { ...all, idle };
}

/** Runs a step in processes that are each killed after this many requests, and restarts it like Step Functions. */
async function untilAlive<Outcome>(
  all: Stores,
  lives: Iterator<number>,
  step: (ports: ReplayPorts) => Promise<Outcome>,
): Promise<Outcome> {
  for (;;) {
    const { value = Number.POSITIVE_INFINITY } = lives.next() as { value?: number };
    try {
      return await step(portsOf(all, new Process(value)));
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
    }
  }
}

interface Resumed {
  readonly lives: Iterable<number>;
  /** Called after the units of a stage. */
  readonly afterStage?: (stage: string) => Promise<void>;
}

type During = Resumed & StartOptions;

/** The loop of the state machine. */
async function replay(all: Stores, { lives, afterStage = async () => {}, ...options }: During) {
  expect(await startReplay(all.meta, options)).toBe("started");
  return resumed(all, { lives, afterStage });
}

async function resumed(all: Stores, { lives, afterStage = async () => {} }: Resumed) {
  const left = lives[Symbol.iterator]();
  for (;;) {
    const prepared = await untilAlive(all, left, (ports) => prepareUnits(ports, run));
    if (prepared.outcome !== "prepared") return prepared;
    const units = prepared.units.map(async (unit) => {
      let outcome = "paused";
      while (outcome === "paused") {
        ({ outcome } = await untilAlive(all, left, (ports) => runUnitStep(ports, run, { run: prepared.run, unit })));
      }
    });
    // A unit whose worker fails does not stop the others.
    for (const unit of await Promise.allSettled(units)) {
      if (unit.status === "rejected" && !(unit.reason instanceof OutageError)) throw unit.reason;
    }
    await afterStage((await readCheckpoint(all.meta))?.checkpoint.stage.stage ?? "");
    const finished = await untilAlive(all, left, (ports) => finishUnits(ports, run));
    if (finished.outcome !== "advanced") return finished;
  }
}

function expectEqual(all: Stores): void {
  const [live, rebuilt] = [all.projections.open("A"), all.projections.open("B")];
  expect(rebuilt.contents()).toEqual(live.contents());
  const runs = (name: ProjectionName) => all.projections.runs(name).contents();
  expect(runs("B")).toEqual(runs("A"));
  for (const [name, bytes] of live.pages) expect(rebuilt.pages.get(name) ?? bytes).toEqual(bytes);
}

describe("a replay that corrects the idle projection", () => {
  it("equals the live projection byte for byte, wherever workers are killed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 20 }),
        async (seed, lives) => {
          const all = stores();
          const mixed = [...fc.sample(arbitraryFact, { numRuns: 60, seed }), ...memberFacts(RUN), ...runFacts(RUN)];
          const items = sealInSegments(
            [
              ...fc.sample(fc.shuffledSubarray(mixed, { minLength: mixed.length }), { numRuns: 1, seed }).flat(),
              ...LARGE,
            ],
            40,
            NOON,
          );
          await sendAll(all, items);
          expect(all.projections.runs("A").states.size).toBeGreaterThan(0);
          await makeStale(all, items);
          const records = recordsOf(all.meta);
          const ended = await replay(all, { lives });
          expect(ended).toMatchObject({ outcome: "switched", live: "B" });
          expect(await readLivePointer(all.meta)).toMatchObject({ live: "B" });
          expectEqual(all);
          expect(recordsOf(all.meta)).toEqual(records);
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  it("has what arrives during each of its stages", async () => {
    const all = stores();
    const some = fc.sample(arbitraryFact, { numRuns: 80, seed: 5 });
    const ofRun = [...memberFacts(RUN), ...runFacts(RUN)];
    const mixed = some.flatMap((fact, index) => [fact, ...ofRun.slice(index, index + 1)]);
    const items = sealInSegments(mixed, 3, NOON);
    await sendAll(all, items.slice(0, 10));
    let next = 10;
    const afterStage = async () => {
      await send(all, items.slice(next, next + 10), BEGIN + next * 1_000);
      next += 10;
    };
    expect(await replay(all, { lives: [], afterStage })).toMatchObject({ outcome: "switched", live: "B" });
    expect(next).toBe(50);
    expectEqual(all);
  });

  it("writes nothing where nothing differs, and the next one repairs what was damaged since", async () => {
    const all = stores();
    const items = sealInSegments([...fc.sample(arbitraryFact, { numRuns: 60, seed: 8 }), ...LARGE], 40, NOON);
    await sendAll(all, items);
    await replay(all, { lives: [] });
    const idle = all.projections.open("A");
    const before = new Map([...idle.states].map(([name, { version }]) => [name, version]));
    const [damaged = ""] = before.keys();
    idle.states.set(damaged, { ...idle.states.get(damaged), bytes: Uint8Array.of(9), version: 7 });
    before.set(damaged, 8);
    expect(await replay(all, { lives: [] })).toMatchObject({ outcome: "switched", live: "A" });
    expect(new Map([...idle.states].map(([name, { version }]) => [name, version]))).toEqual(before);
    expectEqual(all);
  });

  it.each(["spreading", "joining", "joiningRuns"])(
    "begins again when an erasure begins while it is %s",
    async (stage) => {
      const all = stores();
      await sendAll(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON));
      const stages: string[] = [];
      const afterStage = async (current: string) => {
        stages.push(current);
        if (current !== stage || stages.filter((one) => one === stage).length > 1) return;
        await announce(all.meta);
        all.objects.objects.clear();
      };
      expect(await replay(all, { lives: [], afterStage })).toMatchObject({ outcome: "switched" });
      const again = ["spreading", "joining", "joiningRuns", "folding"];
      expect(stages).toEqual([...again.slice(0, again.indexOf(stage) + 1), ...again]);
      expectEqual(all);
    },
  );

  it("advances once, although the answer is lost", async () => {
    const all = stores();
    await sendAll(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON));
    await startReplay(all.meta);
    const ports = portsOf(all, new Process(Number.POSITIVE_INFINITY));
    const prepared = await prepareUnits(ports, run);
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    for (const unit of prepared.units) await runUnitStep(ports, run, { run: prepared.run, unit });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await finishUnits(ports, run, prepared)).toEqual({ outcome: "advanced" });
      expect((await readCheckpoint(all.meta))?.checkpoint).toMatchObject({ stage: { stage: "joining" }, heldUntil: 0 });
    }
  });

  it("does not let projectors write what a later replay has begun to spread", async () => {
    const all = stores();
    await sendAll(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON));
    const read = all.meta.read.bind(all.meta);
    const overtaken = async (stage: string) => {
      if (stage !== "joiningRuns") return;
      all.meta.read = async (kind, key) => {
        if (kind === "live") {
          all.meta.read = read;
          expect(await startReplay(all.meta)).toBe("started");
        }
        return read(kind, key);
      };
    };
    expect(await replay(all, { lives: [], afterStage: overtaken })).toEqual({ outcome: "overtaken" });
    expect((await readLivePointer(all.meta)).building).toBeUndefined();
  });

  it("does not correct a Job without objects that it has spread", async () => {
    const all = stores();
    await sendAll(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON));
    const losing = replay(all, { lives: [], afterStage: async () => all.objects.objects.clear() });
    await expect(losing).rejects.toThrow(/does not exist any more\. Start a new replay\./);
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A" });
  });

  it("keeps the other projection in a trial, and each projector writes its own", async () => {
    const all = stores();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 150, seed: 6 }), 3, NOON);
    await sendAll(all, items.slice(0, 10));
    await makeStale(all, items);
    let next = 10;
    const written: number[] = [];
    const afterStage = async () => {
      const before = all.projections.open("B").bytesWritten;
      await send(all, items.slice(next, next + 10), BEGIN + next * 1_000, [KEPT_PROJECTOR, { kind: "trial" }]);
      written.push(all.projections.open("B").bytesWritten - before);
      next += 10;
    };
    const kept = { project: "12", refold: "9" };
    const ended = await replay(all, { lives: [40, 90], afterStage, isTrial: true, kept });
    expect(ended).toMatchObject({ outcome: "kept", live: "A" });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A", building: "B", kept: { projection: "A" } });
    expect(written.map((bytes) => bytes > 0)).toEqual([false, false, false, true]);
    expectEqual(all);
  });

  it("projects an item again that failed while it was spread", async () => {
    const all = stores();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 8 }), 3, NOON);
    await sendAll(all, items);
    const records = recordsOf(all.meta);
    const nodes = await collect(listRecords(all.meta, "node", { prefix: "" }));
    expect(nodes).not.toEqual([]);
    for (const { key } of nodes) all.meta.remove("node", key);
    let isOut = true;
    const write = all.meta.write.bind(all.meta);
    all.meta.write = async (kind, ...args) => {
      if (isOut && kind === "node") throw new TypeError("No record of a Node can be written.");
      return write(kind, ...args);
    };
    const afterStage = async () => {
      isOut = false;
    };
    expect(await replay(all, { lives: [], afterStage })).toMatchObject({ outcome: "switched" });
    expectEqual(all);
    expect(recordsOf(all.meta)).toEqual(records);
  });

  it("names an item that cannot be projected, and the earlier projection stays live", async () => {
    const all = stores();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON);
    await sendAll(all, items);
    const [first = expect.fail()] = items;
    const damaged = { ...first, key: { ...first.key, sk: "damaged" }, bytes: new Uint8Array(20) };
    const [appended] = await appendInPacks(all, [damaged], { arrivedAt: NOON + HOUR });
    const ended = await replay(all, { lives: [] });
    expect(ended).toMatchObject({ outcome: "incomplete", refold: [{ key: appended?.key }], refused: [] });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A" });
    expectEqual(all);
  });

  it("names a Job that cannot be corrected, corrects the others, and the earlier projection stays live", async () => {
    const all = stores();
    await sendAll(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON));
    const [name = expect.fail()] = all.projections.open("A").states.keys();
    const damaged = failing(all, (job) => (job === name ? new TypeError("The Job is damaged.") : undefined));
    const ended = await replay(damaged, { lives: [] });
    const refused = [{ job: name.replace("|", "#"), reason: "The Job is damaged." }];
    expect(ended).toMatchObject({ outcome: "incomplete", refold: [], refused });
    const checkpoint = (await readCheckpoint(all.meta)) ?? expect.fail();
    expect(await replayProgress(all, checkpoint)).toMatchObject({ refused });
    expect(await readLivePointer(all.meta)).toMatchObject({ live: "A" });
    const [live, rebuilt] = [all.projections.open("A"), all.projections.open("B")];
    expect(rebuilt.contents()).toEqual(live.contents().filter((text) => !text.startsWith(`${name} `)));
    expect(await replay(all, { lives: [] })).toMatchObject({ outcome: "switched" });
  });

  it("is resumed with a bucket that an outage has stopped", async () => {
    const all = stores();
    await sendAll(all, sealInSegments(fc.sample(arbitraryFact, { numRuns: 30, seed: 9 }), 3, NOON));
    const out = failing(all, () => new OutageError("The table is not available."));
    expect(await replay(out, { lives: [] })).toEqual({ outcome: "unfinished", left: 1 });
    expect((await readCheckpoint(all.meta))?.checkpoint.stage.stage).toBe("joining");
    expect(all.projections.open("B").states.size).toBe(0);
    expect(await resumed(all, { lives: [] })).toMatchObject({ outcome: "switched", live: "B" });
    expectEqual(all);
  });

  it("runs in one process, too", async () => {
    const all = stores();
    const items = sealInSegments(fc.sample(arbitraryFact, { numRuns: 60, seed: 11 }), 3, NOON);
    await sendAll(all, items);
    await makeStale(all, items);
    expect(await rebuildProjection(portsOf(all), PATIENT)).toMatchObject({ outcome: "switched", live: "B" });
    expectEqual(all);
  });
});

/** Nodes, CronJobs, gaps, hints, clusters and namespaces. */
function recordsOf(meta: MemoryMetaStore): readonly string[] {
  return meta.contents().filter((text) => /^(node|cronjob|gap|hints|cluster|namespace)\|/.test(text));
}
