import { describe, expect, it } from "vitest";
import { SWEEP_SHARDS } from "../../src/ports/deployment/limits.ts";
import { readSweepEvent } from "../../src/ports/deployment/sweep-event.ts";
import { LIVE, synthesise } from "./synthesised.ts";

const { resources } = synthesise(LIVE);

describe("the schedule of the sweep", () => {
  const rule = [...resources.values()].find(({ path }) => path.startsWith("Sweep/Schedule"));

  it("invokes the function for each shard, every five minutes", () => {
    expect(rule?.properties).toMatchObject({ ScheduleExpression: "rate(5 minutes)" });
    const targets = (rule?.properties["Targets"] ?? []) as readonly { readonly Input: string }[];
    const shards = targets.map(({ Input }) => readSweepEvent(JSON.parse(Input)).shard);
    expect(shards).toEqual(Array.from({ length: SWEEP_SHARDS }, (_, shard) => shard));
  });

  it("has no more targets than EventBridge accepts", () => {
    expect(SWEEP_SHARDS).toBeLessThanOrEqual(5);
  });
});
