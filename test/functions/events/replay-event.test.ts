import { describe, expect, it } from "vitest";
import { onReplayEvent, type ReplayEvent } from "../../../functions/events/replay-event.ts";
import { LogDayRegistry } from "../../../src/ingest/log-day-registry.ts";
import { ingestSegment } from "../../../src/ingest/ingest-segment.ts";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { projectLive } from "../../../src/projection/project-segments.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { queueEvent } from "../../support/aws/queue-event.ts";
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
  const turns: string[] = [];
  const sendTurn = async () => void turns.push("continue");
  const dependencies = { ...stores, clock, count: told.count, logger: told.logger, sendTurn };
  return {
    stores,
    told,
    clock,
    turns,
    invoke: (event: ReplayEvent) => onReplayEvent(dependencies, event, told.context),
  };
}

/** Time for one batch a call. */
function hurry(told: FunctionJournal): void {
  let asked = 0;
  told.context.getRemainingTimeInMillis = () => (asked++ % 2 === 0 ? 900_000 : 100_000);
}

const turn = queueEvent([{ messageId: "turn", body: "continue" }]);

describe("the replay", () => {
  it("starts by a command, and ends in one invocation if the log is short", async () => {
    const { invoke, stores, turns } = await replayer(3);
    expect(await invoke({ action: "start" })).toEqual({ outcome: "switched", live: "B", segments: 3 });
    expect(stores.projections.open("B").contents()).toEqual(stores.projections.open("A").contents());
    expect(turns).toEqual([]);
  });

  it("sends itself messages until the log is projected, and reports its progress", async () => {
    const { invoke, told, turns, stores } = await replayer(3);
    hurry(told);
    const started = await invoke({ action: "start" });
    expect(started).toMatchObject({ outcome: "paused" });
    expect(await invoke({ action: "status" })).toMatchObject({ outcome: "status", replay: { building: "B" } });
    for (let count = 0; turns.length > count; count += 1) expect(await invoke(turn)).toEqual({ batchItemFailures: [] });
    expect(await readLivePointer(stores.meta)).toMatchObject({ live: "B" });
    expect(turns.length).toBeGreaterThan(1);
  });

  it("starts without a wait, by a message to itself", async () => {
    const { invoke, turns, stores } = await replayer(1);
    expect(await invoke({ action: "begin" })).toEqual({ outcome: "begun" });
    expect(turns).toEqual(["continue"]);
    expect(await readLivePointer(stores.meta)).toMatchObject({ live: "A" });
    await invoke(turn);
    expect(await invoke({ action: "status" })).toMatchObject({
      replay: { stage: { stage: "ended", outcome: "switched" }, segments: 1 },
    });
  });

  it("cannot start twice, and retries a turn during another one", async () => {
    const { invoke, stores, clock } = await replayer(2);
    const held = { building: "B", stage: { stage: "folding" }, segments: 7, failed: [], heldUntil: NOON + MINUTE };
    await stores.meta.write("position", "#replay", { value: JSON.stringify(held), expected: 0 });
    expect(await invoke({ action: "start" })).toMatchObject({ outcome: "refused" });
    expect(await invoke({ action: "continue" })).toEqual({ outcome: "held", until: NOON + MINUTE, segments: 7 });
    expect(await invoke(turn)).toEqual({ batchItemFailures: [{ itemIdentifier: "turn" }] });
    clock.at = NOON + MINUTE;
    expect(await invoke({ action: "start" })).toMatchObject({ outcome: "switched" });
  });

  it("does nothing if none was started, so that a schedule can invoke it", async () => {
    const { invoke } = await replayer(1);
    const scheduled = { source: "aws.events", "detail-type": "Scheduled Event", detail: {} } as unknown as ReplayEvent;
    expect(await invoke(scheduled)).toEqual({ outcome: "none" });
    expect(await invoke({ action: "status" })).toEqual({ outcome: "status" });
  });

  it("rejects other commands", async () => {
    const { invoke } = await replayer(1);
    await expect(invoke({ action: "stop" } as unknown as ReplayEvent)).rejects.toThrow(
      "begin, try, start, continue, status.",
    );
  });

  it("reports items that cannot be projected, and keeps the old projection live", async () => {
    const { invoke, stores } = await replayer(1);
    await stores.log.append({
      key: { pk: "east#20261121", sk: "damaged" },
      bytes: new Uint8Array(20),
      sha256: "00",
      factCount: 1,
    });
    const report = await invoke({ action: "start" });
    expect(report).toMatchObject({ outcome: "incomplete", failed: [{ key: "east#20261121 damaged" }] });
    expect(JSON.stringify(report)).toContain("Codec 0 is unknown");
    expect(await readLivePointer(stores.meta)).toMatchObject({ live: "A" });
  });
});
