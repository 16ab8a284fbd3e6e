import { beforeEach, describe, expect, it } from "vitest";
import { followChange, followedColumn, readFollowed } from "../../../cli/retention/retention-store.ts";
import type { Retained } from "../../../cli/deployment/deployed-retention.ts";
import { renewalKey, retentionKey } from "../../../src/ports/meta-key.ts";
import { readRecord, writeRecord } from "../../../src/ports/records/record-codec.ts";
import { renewalProgress } from "../../../src/upkeep/retention/retention-changes.ts";
import { retentionRecord } from "../../../src/ports/expiry/retention-record.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const key = retentionKey(clusterNamed("east"), "shop");
const change = { kind: "retention", key } as const;

let meta: MemoryMetaStore;
beforeEach(async () => {
  meta = new MemoryMetaStore();
  const value = { days: 5, setAt: "2026-11-21T08:00:00Z" };
  await writeRecord(meta, retentionRecord, { key, value, expected: 0 });
});

async function progress(rounds: number, jobs: number, version = 1): Promise<void> {
  const own = renewalKey("retention", key);
  const known = await readRecord(meta, renewalProgress, own);
  const value = { version, seenAt: 0, rounds, jobs, changed: 0 };
  await writeRecord(meta, renewalProgress, { key: own, value, expected: known?.version ?? 0 });
}

/** A deployment whose function does one of these steps each time. */
function deployment(...steps: readonly (() => Promise<Retained>)[]) {
  const left = [...steps];
  const ran: Retained = { outcome: "ran" };
  return { stage: "live", meta, retain: async () => (await left.shift()?.()) ?? ran };
}

function visits(rounds: number, jobs: number): () => Promise<Retained> {
  return async () => {
    await progress(rounds, jobs);
    return { outcome: "ran" };
  };
}

describe("a command that changes a rule", () => {
  it("waits until all stored Jobs were visited", async () => {
    const deployed = deployment(visits(0, 400), visits(0, 900), visits(1, 1_200));
    expect(await followChange(deployed, change, () => 0)).toEqual({ outcome: "followed", jobs: 1_200 });
  });

  it("does not wait for more than five minutes", async () => {
    let now = 0;
    const slow = async (): Promise<Retained> => {
      now += 100_000;
      return visits(0, now / 1_000)();
    };
    const deployed = deployment(slow, slow, slow, slow);
    expect(await followChange(deployed, change, () => now)).toEqual({ outcome: "pending", jobs: 300 });
  });

  it("does not wait for a function that fails", async () => {
    const failed: Retained = { outcome: "failed", reason: "access denied" };
    const deployed = deployment(async () => failed);
    expect(await followChange(deployed, change)).toEqual({ outcome: "pending", jobs: 0, reason: "access denied" });
  });

  it("does not count the Jobs that followed an earlier version of the rule", async () => {
    await progress(2, 50, 7);
    const deployed = deployment(async () => ({ outcome: "failed", reason: "timeout" }));
    expect(await followChange(deployed, change)).toMatchObject({ outcome: "pending", jobs: 0 });
  });
});

describe("a list of rules", () => {
  it.each([
    [undefined, "not yet"],
    [0, "not yet (400 visited)"],
    [1, "yes"],
  ])("says of a deployment whether stored Jobs follow, after %j rounds: %s", async (rounds, expected) => {
    if (rounds !== undefined) await progress(rounds, 400);
    const followed = await readFollowed({ meta, deployed: deployment() }, "retention");
    expect(followed(key)).toEqual({ followed: expected });
    expect(followedColumn({ stage: "test", database: "" }).map(({ cell }) => cell(followed(key)))).toEqual([expected]);
  });

  it("says nothing of a database file, whose server reads the rules", async () => {
    expect((await readFollowed({ meta }, "retention"))(key)).toEqual({});
    expect(followedColumn({ database: "" })).toEqual([]);
  });
});
