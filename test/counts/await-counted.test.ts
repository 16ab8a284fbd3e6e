import { beforeEach, describe, expect, it } from "vitest";
import { awaitCounted, CountsBehindError } from "../../src/counts/await-counted.ts";
import { type CountPosition, countPosition } from "../../src/counts/count-records.ts";
import { countPositionKey } from "../../src/ports/meta-key.ts";
import type { ProjectionName } from "../../src/ports/projections.ts";
import { readRecord, writeRecord } from "../../src/ports/records/record-codec.ts";
import { MemoryMetaStore } from "../support/stores/memory-meta-store.ts";

let meta: MemoryMetaStore;
let now: number;
beforeEach(() => {
  meta = new MemoryMetaStore();
  now = 1_000_000;
});

async function position(projection: ProjectionName, change: Partial<CountPosition>): Promise<void> {
  const key = countPositionKey(projection);
  const stored = await readRecord(meta, countPosition, key);
  const begun = stored?.value ?? { positions: {}, round: 1, heldUntil: 0, since: 0, rolledTo: 0 };
  await writeRecord(meta, countPosition, { key, value: { ...begun, ...change }, expected: stored?.version ?? 0 });
}

/** Waits; each pause takes a minute, in which `advance` happens. */
const wait = (advance: (minute: number) => Promise<void> = async () => undefined) => {
  let minute = 0;
  const pause = async () => {
    minute += 1;
    now += 60_000;
    await advance(minute);
  };
  return awaitCounted({ meta, now: () => now, pause }, 500);
};

describe("the counts of a stage", () => {
  it("are awaited in both projections", async () => {
    await position("A", { countedTo: 499 });
    await position("B", { countedTo: 500 });
    await wait(async (minute) => (minute === 3 ? position("A", { countedTo: 500 }) : undefined));
    expect(now).toBe(1_000_000 + 3 * 60_000);
  });

  it("are not awaited where nothing is counted", async () => {
    await wait();
    expect(now).toBe(1_000_000);
  });

  it("are behind while a round is in some sums only", async () => {
    await position("A", { countedTo: 600, pending: { shard: "1" } });
    await expect(wait()).rejects.toThrow(CountsBehindError);
    expect(now).toBeGreaterThanOrEqual(1_000_000 + 15 * 60_000);
  });

  it("are behind until a release has stated how far it has counted", async () => {
    await position("B", {});
    await expect(wait()).rejects.toThrow("repeat the command");
  });
});
