import { describe, expect, it } from "vitest";
import { onReplayEvent, type ReplayReport } from "../../../functions/events/replay-event.ts";
import type { PreparedStage } from "../../../src/upkeep/replay/parallel-replay.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { switchProjection } from "../../../src/upkeep/replay/switch-projection.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryObjects } from "../../support/stores/memory-objects.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { Story } from "../../support/story/story.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const MINUTE = 60_000;
const cluster = clusterNamed("east");
const retry = { attempts: 3, pause: async () => undefined };

/** The function, over a log of `days` days and a clock that can be set. */
async function replayer(days: number) {
  const meta = new MemoryMetaStore();
  const stores = { log: new MemoryLog(), meta, projections: new MemoryProjections(), days: new LogDayRegistry(meta) };
  for (let day = 0; day < days; day += 1) {
    const story = new Story(`job-${day}`);
    story.jobCreated();
    const sealedAt = NOON - day * DAY;
    const { bytes } = sealSegment({ cluster, sealedAt, session: "0123456789abcdef", sequence: 0, facts: story.facts });
    const ingested = await ingestSegment(stores, bytes, { now: NOON, recorded: true });
    if (ingested.outcome !== "appended") throw new Error(ingested.outcome);
    await projectLive(stores, [ingested.item], retry);
  }
  const told = new FunctionJournal();
  const clock = { at: NOON, now: () => clock.at };
  const objects = new MemoryObjects();
  const dependencies = { ...stores, clock, count: told.count, logger: told.logger };
  return {
    stores,
    told,
    clock,
    invoke: (event: unknown) => onReplayEvent(dependencies, event, told.context),
    /** The function of a stage whose idle projection is corrected, by stores that refuse each Job. */
    refusing: (event: unknown) => {
      const idle = stores.projections.idle("B");
      idle.entryOf = async () => Promise.reject(new TypeError("The item is too large."));
      const idleRuns = () => stores.projections.idleRuns("B");
      const spread = { objects, idle: () => idle, idleRuns, isOutage: () => false };
      return onReplayEvent({ ...dependencies, spread }, event, told.context);
    },
    /** The function of a stage that keeps projectors. */
    keeping: (event: unknown) => onReplayEvent({ ...dependencies, kept: KEPT }, event, told.context),
  };
}

/** Sends the commands of the state machine until the replay has ended, or is refused. */
async function replay(invoke: (event: unknown) => Promise<ReplayReport>, action = "begin"): Promise<ReplayReport> {
  const begun = await invoke({ action });
  if (begun.outcome !== "begun") return begun;
  for (;;) {
    const prepared = await invoke({ action: "prepare" });
    if (prepared.outcome !== "prepared") return prepared;
    const { run, stage, units } = prepared;
    for (const unit of units) while ((await invoke({ action: "unit", run, unit })).outcome === "paused");
    let finished: ReplayReport & Partial<PreparedStage> = await invoke({ action: "finish", run, stage });
    while (finished.outcome === "paused") {
      finished = await invoke({ action: "finish", run: finished.run, stage: finished.stage });
    }
    if (finished.outcome !== "advanced") return finished;
  }
}

const KEPT = { project: "12", refold: "9" };

/** Time for one batch a call. */
function hurry(told: FunctionJournal): void {
  let asked = 0;
  told.context.getRemainingTimeInMillis = () => (asked++ % 2 === 0 ? 900_000 : 100_000);
}

describe("the replay", () => {
  it("reports its progress", async () => {
    const { invoke, stores } = await replayer(3);
    await invoke({ action: "begin" });
    const prepared = await invoke({ action: "prepare" });
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    await invoke({ action: "unit", run: prepared.run, unit: prepared.units[0] });
    expect(await invoke({ action: "status" })).toMatchObject({
      outcome: "status",
      replay: { building: "B" },
      progress: { units: 3, done: 1, segments: 1, facts: 2 },
    });
    expect(await readLivePointer(stores.meta)).toMatchObject({ live: "A" });
  });

  it("switches although each step has time for one batch only", async () => {
    const { invoke, told, stores } = await replayer(3);
    hurry(told);
    expect(await replay(invoke)).toMatchObject({ outcome: "switched", live: "B", segments: 3 });
    expect(stores.projections.open("B").contents()).toEqual(stores.projections.open("A").contents());
  });

  it("takes the steps of the state machine", async () => {
    const { invoke, stores } = await replayer(2);
    expect(await invoke({ action: "begin" })).toEqual({ outcome: "begun" });
    const prepared = await invoke({ action: "prepare" });
    if (prepared.outcome !== "prepared") throw new Error(prepared.outcome);
    expect(prepared.units).toHaveLength(2);
    const of = { run: prepared.run, stage: prepared.stage };
    expect(await invoke({ action: "finish", ...of })).toEqual({ outcome: "unfinished", left: 2, ...of });
    expect(await invoke({ action: "resume" })).toEqual({ outcome: "begun" });
    for (const unit of prepared.units) {
      expect(await invoke({ action: "unit", run: prepared.run, unit })).toEqual({ outcome: "done" });
    }
    const switched = { outcome: "switched", live: "B", segments: 2, ...of };
    expect(await invoke({ action: "finish", ...of })).toEqual(switched);
    expect(stores.projections.open("B").contents()).toEqual(stores.projections.open("A").contents());
    expect(await invoke({ action: "resume" })).toMatchObject({ outcome: "refused" });
  });

  it("cannot start twice", async () => {
    const { invoke, stores, clock } = await replayer(2);
    const held = { building: "B", stage: { stage: "folding" }, segments: 7, failed: [], heldUntil: NOON + MINUTE };
    await stores.meta.write("position", "#replay", { value: JSON.stringify(held), expected: 0 });
    expect(await invoke({ action: "begin" })).toMatchObject({ outcome: "refused" });
    clock.at = NOON + MINUTE;
    expect(await replay(invoke)).toMatchObject({ outcome: "switched" });
  });

  it("is a trial only, where the stage keeps projectors of an earlier release", async () => {
    const { keeping, stores } = await replayer(2);
    expect(await keeping({ action: "begin" })).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("replay --trial") as unknown,
    });
    expect(await readLivePointer(stores.meta)).toEqual({ live: "A", version: 0 });
    expect(await replay(keeping, "try")).toMatchObject({ outcome: "kept", live: "A", segments: 2 });
    expect(await readLivePointer(stores.meta)).toMatchObject({ building: "B", kept: { projection: "A", ...KEPT } });
    await switchProjection(stores.meta, NOON);
    expect(await keeping({ action: "try" })).toMatchObject({
      outcome: "refused",
      reason: expect.stringContaining("Switch back") as unknown,
    });
  });

  it("continues the replay of a release that had no units from the begin of the log", async () => {
    const { invoke, stores } = await replayer(2);
    const stage = { stage: "folding", day: { cluster: "east", day: "20261121" } };
    const earlier = { building: "B", stage, segments: 7, failed: [], heldUntil: 0 };
    await stores.meta.write("position", "#replay", { value: JSON.stringify(earlier), expected: 0 });
    await stores.meta.write("live", "jobs", { value: '{"building":"B","live":"A"}', expected: 0 });
    expect(await replay(invoke, "resume")).toMatchObject({ outcome: "switched", live: "B", segments: 2 });
  });

  it("has no progress if none was started", async () => {
    const { invoke } = await replayer(1);
    expect(await invoke({ action: "status" })).toEqual({ outcome: "status" });
  });

  it.each([{ action: "stop" }, { source: "aws.events", detail: {} }, "begin"])("rejects %j", async (event) => {
    const { invoke } = await replayer(1);
    await expect(invoke(event)).rejects.toThrow("begin, try, resume, prepare");
  });

  it("reports items that cannot be projected, and keeps the old projection live", async () => {
    const { invoke, stores } = await replayer(1);
    await stores.log.append({
      key: { pk: "east#20261121", sk: "damaged" },
      bytes: new Uint8Array(20),
      sha256: "00",
      factCount: 1,
    });
    const report = await replay(invoke);
    expect(report).toMatchObject({
      outcome: "incomplete",
      failed: [{ key: "east#20261121 damaged" }],
      reason: expect.stringMatching(/^1 log item cannot be projected.*The first is east#20261121 damaged: /) as string,
    });
    expect(JSON.stringify(report)).toContain("Codec 0 is unknown");
    expect(await readLivePointer(stores.meta)).toMatchObject({ live: "A" });
  });

  it("reports Jobs that cannot be corrected, and keeps the old projection live", async () => {
    const { refusing, invoke, stores } = await replayer(2);
    const report = await replay(refusing);
    const failed = ["job-0", "job-1"].map((name) => ({ key: `Job east#${name}`, reason: "The item is too large." }));
    expect(report).toMatchObject({
      outcome: "incomplete",
      failed: expect.arrayContaining(failed) as unknown,
      reason: expect.stringMatching(
        /^2 Jobs cannot be corrected, and.*is Job east#job-\d: The item is too large\.$/,
      ) as string,
    });
    expect(await readLivePointer(stores.meta)).toMatchObject({ live: "A" });
    const reasons = failed.map(({ reason }) => ({ reason }));
    expect(await invoke({ action: "status" })).toMatchObject({ progress: { refused: reasons } });
  });
});
