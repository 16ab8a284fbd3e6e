import { describe, expect, it } from "vitest";
import { onSweep } from "../../../functions/events/sweep-event.ts";
import { SWEEP_SHARDS } from "../../../src/ports/deployment/limits.ts";
import { SweepEventError } from "../../../src/ports/deployment/sweep-event.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { MemoryProjections } from "../../support/stores/memory-projections.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;

function sweeping() {
  const told = new FunctionJournal();
  const dependencies = {
    meta: new MemoryMetaStore(),
    projections: new MemoryProjections(),
    clock: { now: () => NOON + HOUR },
    count: told.count,
    logger: told.logger,
  };
  return { dependencies, told };
}

describe("the sweep", () => {
  it("counts silent clusters and gaps even if there are none, so that alarms have data", async () => {
    const { dependencies, told } = sweeping();
    const shards = await onSweep(dependencies, undefined, told.context);
    expect(shards).toHaveLength(SWEEP_SHARDS);
    for (const swept of shards) expect(swept).toMatchObject({ rows: 0, rewritten: 0, isBehind: false });
    expect(told.counts).toEqual({ SilentClusters: 0, OpenGaps: 0, Writes: 0, OldestUnsweptSeconds: 0 });
  });

  it("visits one shard, of which only the first one watches the clusters", async () => {
    const { dependencies, told } = sweeping();
    expect(await onSweep(dependencies, { shard: 1 }, told.context)).toHaveLength(1);
    expect(told.counts).toEqual({ Writes: 0, OldestUnsweptSeconds: 0 });
    await onSweep(dependencies, { shard: 0 }, told.context);
    expect(told.counts).toMatchObject({ SilentClusters: 0, OpenGaps: 0 });
  });

  it("reports how long a shard that does not run has been left, by the runs of the others", async () => {
    const { dependencies, told } = sweeping();
    await onSweep(dependencies, {}, told.context);
    const run = async (minutes: number, shard: number) => {
      told.counts.OldestUnsweptSeconds = 0;
      await onSweep({ ...dependencies, clock: { now: () => NOON + HOUR + minutes * 60_000 } }, { shard }, told.context);
      return told.counts.OldestUnsweptSeconds;
    };
    for (const shard of [0, 1, 2]) expect(await run(5, shard)).toBe(300);
    for (const shard of [0, 1, 2]) expect(await run(15, shard)).toBe(900);
    // The round began at minute 5. Only when the last shard has visited its lists, everything is as of then.
    expect(await run(20, 3)).toBe(900);
    expect(await run(20, 0)).toBe(1_200 - 300);
  });

  it.each([{ shard: 4 }, { shard: -1 }, { shard: "0" }, { shard: 0.5 }, "0"])("refuses %j", async (received) => {
    const { dependencies, told } = sweeping();
    await expect(onSweep(dependencies, received, told.context)).rejects.toThrow(SweepEventError);
  });

  it("logs a silent cluster", async () => {
    const { dependencies, told } = sweeping();
    const observed = { kind: "ClusterObserved", epoch: 0, resourceVersion: 1, at: NOON, kubeSystemUid: "uid-1" };
    await dependencies.meta.write("cluster", "east", { value: JSON.stringify({ observed }), expected: 0 });
    await onSweep(dependencies, {}, told.context);
    expect(told.counts).toMatchObject({ SilentClusters: 1 });
    expect(told.lines[0]).toBe('WARN A cluster is silent. {"cluster":"east","since":"2026-11-21T12:00:00.000Z"}');
  });
});
