import { describe, expect, it } from "vitest";
import { holdKey, renewalKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../src/ports/records/record-codec.ts";
import { holdRecord, legalHolds } from "../../../src/upkeep/holds/legal-holds.ts";
import { retentionRecord } from "../../../src/ports/expiry/retention-record.ts";
import { readRetentionChanges, renewalProgress, roundsOf } from "../../../src/upkeep/retention/retention-changes.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const at = "2026-11-21T08:00:00Z";
const east = clusterNamed("east");

async function setHold(meta: MemoryMetaStore, name: string, releasedAt?: string): Promise<void> {
  const key = holdKey({ cluster: "east", namespace: "shop", name });
  const known = await readRecord(meta, holdRecord, key);
  const value = { reason: "case", heldAt: at, ...(releasedAt !== undefined && { releasedAt }) };
  await writeRecord(meta, holdRecord, { key, value, expected: known?.version ?? 0 });
}

describe("rules and holds", () => {
  it("are listed with holds in force first, by what they cover", async () => {
    const meta = new MemoryMetaStore();
    const rule = { key: retentionKey(east), value: { days: 5, setAt: at }, expected: 0 };
    await writeRecord(meta, retentionRecord, rule);
    await setHold(meta, "a", at);
    await setHold(meta, "b");
    expect(
      (await readRetentionChanges({ meta, holds: [legalHolds] })).map(({ kind, place }) => ({ kind, ...place })),
    ).toEqual([
      { kind: "hold", cluster: "east", namespace: "shop", name: "b" },
      { kind: "hold", cluster: "east", namespace: "shop", name: "a" },
      { kind: "retention", cluster: "east" },
    ]);
  });

  it("are followed from the beginning again after each change", async () => {
    const meta = new MemoryMetaStore();
    await setHold(meta, "a");
    const key = renewalKey("hold", holdKey({ cluster: "east", namespace: "shop", name: "a" }));
    const position = { projection: "B", namespace: "shop", after: { createdAt: 5, jobUid: jobUid("x") } } as const;
    const value = { version: 1, seenAt: 7, rounds: 2, position, jobs: 3, changed: 4 };
    await writeRecord(meta, renewalProgress, { key, value, expected: 0 });
    const [change] = await readRetentionChanges({ meta, holds: [legalHolds] });
    expect(change?.progress?.value).toEqual(value);
    expect(change && roundsOf(change)).toBe(2);
    await setHold(meta, "a", at);
    expect((await readRetentionChanges({ meta, holds: [legalHolds] })).map(roundsOf)).toEqual([0]);
  });
});
