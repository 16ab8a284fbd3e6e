import { describe, expect, it } from "vitest";
import { checkStageFormats } from "../../../cli/upgrade/check-stage-formats.ts";
import { collect } from "../../../cli/doctor/check.ts";
import { LogDayRegistry } from "../../../src/log/log-day-registry.ts";
import { ingestSegment } from "../../../src/log/ingest-segment.ts";
import { LIVE_KEY } from "../../../src/ports/meta-key.ts";
import { sealSegment } from "../../../src/segment/seal-segment.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { Story } from "../../support/story/story.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

async function stage(days: number) {
  const stores = { log: new MemoryLog(), meta: new MemoryMetaStore() };
  for (let day = 0; day < days; day += 1) {
    const story = new Story(`report-${day}`);
    story.jobCreated();
    const sealedAt = NOON + day * 86_400_000;
    const named = { cluster: clusterNamed("east"), sealedAt, session: "0123456789abcdef", sequence: day };
    const { bytes } = sealSegment({ ...named, facts: story.facts });
    await ingestSegment({ ...stores, days: new LogDayRegistry(stores.meta) }, bytes, { now: sealedAt });
  }
  return stores;
}

describe("the check of the tables of a stage", () => {
  it.each([
    [0, "no segments yet"],
    [1, "Schema 1 in 1 of the first and last segments (items of their own)"],
    [3, "Schema 1 in 2 of the first and last segments (items of their own)"],
  ])("reads the first and last day of %i", async (days, words) => {
    const [log, ...others] = await collect(checkStageFormats(await stage(days)));
    expect(log).toMatchObject({ check: "log", result: "ok", detail: expect.stringContaining(words) as string });
    expect(others.map(({ check, result }) => `${check} ${result}`)).toEqual([
      "migration ok",
      "replay ok",
      "back warning",
    ]);
  });

  it("warns before a deployment while a replay runs", async () => {
    const stores = await stage(1);
    const value = JSON.stringify({ live: "A", building: "B" });
    await stores.meta.write("live", LIVE_KEY, { value, expected: 0 });
    const checks = await collect(checkStageFormats(stores));
    expect(checks.find(({ check }) => check === "migration")).toMatchObject({ result: "warning" });
  });
});
