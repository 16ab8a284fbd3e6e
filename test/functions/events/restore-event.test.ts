import { describe, expect, it } from "vitest";
import { isRestore, onRestore, type RestoreDependencies } from "../../../functions/events/restore-event.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { LogHourRegistry } from "../../../src/log/log-hour-registry.ts";
import { EIGHT, endedJob, HOUR } from "../../support/archive/archive-scene.ts";
import { PackedScene } from "../../support/archive/packed-scene.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryPackedLog } from "../../support/stores/memory-packs.ts";

function dependencies() {
  const log = new MemoryPackedLog();
  const meta = new MemoryMetaStore();
  const journal = new FunctionJournal();
  const packer = { packs: log.packs, hours: new LogHourRegistry(meta), shards: 2, now: () => EIGHT };
  const opened: RestoreDependencies = {
    log,
    meta,
    days: new LogDayRegistry(meta),
    packer,
    logDays: 35,
    clock: { now: () => EIGHT + HOUR },
    count: journal.count,
    logger: journal.logger,
  };
  return { opened, log, journal };
}

const { bytes } = new PackedScene().seal(endedJob({ name: "a", createdAt: EIGHT - HOUR }), EIGHT);
const event = { restore: [{ body: Buffer.from(bytes).toString("base64"), arrivedAt: EIGHT }] };

describe("an event of `outlive restore`", () => {
  it("is recognized among messages of the queue", () => {
    expect(isRestore(event)).toBe(true);
    expect(isRestore({ Records: [] })).toBe(false);
  });

  it("appends its segments, counts them and answers about each", async () => {
    const { opened, log, journal } = dependencies();
    const { outcomes } = await onRestore(opened, event);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["appended"]);
    expect(log.allPacks).toHaveLength(1);
    expect(journal.counts.Segments).toBe(1);
  });

  it("answers why a segment was not appended, and logs it", async () => {
    const { opened, log, journal } = dependencies();
    log.takes = 0;
    const { outcomes } = await onRestore(opened, event);
    expect(outcomes).toEqual([{ outcome: "failed", reason: "The store is unavailable." }]);
    expect(journal.lines.join()).toContain("could not be restored");
  });

  it("is refused where segments are not packed", async () => {
    const { opened } = dependencies();
    const { packer: _, ...without } = opened;
    await expect(onRestore(without, event)).rejects.toThrow("Unsupported event");
  });
});
