import { describe, expect, it } from "vitest";
import { holdKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { writeRecord } from "../../../src/ports/records/record-codec.ts";
import { noteRemoved, readRemovedJobs } from "../../../src/upkeep/retention/removed-jobs.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const shop = retentionKey("east", "shop");
const job = { cluster: "east", namespace: "shop", name: "nightly" };

async function holdSetAt(meta: MemoryMetaStore, heldAt: number): Promise<void> {
  const value = { reason: "audit", heldAt: new Date(heldAt).toISOString() };
  await writeRecord(meta, holdRecord, { key: holdKey(job), value, expected: 0 });
}

describe("the Jobs that retention has deleted", () => {
  it("are none before it has deleted any", async () => {
    const removed = await readRemovedJobs({ meta: new MemoryMetaStore(), holds: [legalHolds] });
    expect(removed.isEmpty).toBe(true);
    expect(removed.has({ ...job, endedAt: 0 })).toBe(false);
  });

  it("ended before the furthest limit of their namespace", async () => {
    const meta = new MemoryMetaStore();
    await noteRemoved(meta, shop, { endedBefore: NOON, days: 1 });
    await noteRemoved(meta, shop, { endedBefore: NOON - DAY, days: 30 });
    const removed = await readRemovedJobs({ meta, holds: [legalHolds] });
    expect(removed.has({ ...job, endedAt: NOON - 1 })).toBe(true);
    expect(removed.has({ ...job, endedAt: NOON })).toBe(false);
    expect(removed.has({ ...job, namespace: "bank", endedAt: NOON - 1 })).toBe(false);
  });

  it.each([
    ["before its retention ended", NOON - DAY, false],
    ["after its retention ended", NOON + 1, true],
  ])("do not have one with a hold that was set in time: %s", async (_, heldAt, isRemoved) => {
    const meta = new MemoryMetaStore();
    await noteRemoved(meta, shop, { endedBefore: NOON, days: 1 });
    await holdSetAt(meta, heldAt);
    expect((await readRemovedJobs({ meta, holds: [legalHolds] })).has({ ...job, endedAt: NOON - DAY })).toBe(isRemoved);
  });

  it("are noted beside what was noted of their cluster before", async () => {
    const meta = new MemoryMetaStore();
    await noteRemoved(meta, retentionKey("east"), { logBefore: 5 });
    await noteRemoved(meta, retentionKey("east"), { recordsBefore: 7 });
    await noteRemoved(meta, retentionKey("east"), { recordsBefore: 6, hintsBefore: 8 });
    const noted: unknown = JSON.parse((await meta.read("removed", "east#"))?.value ?? "");
    expect(noted).toEqual({ logBefore: 5, recordsBefore: 7, hintsBefore: 8 });
  });
});
