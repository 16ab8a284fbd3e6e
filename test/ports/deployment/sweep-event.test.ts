import { describe, expect, it } from "vitest";
import { readSweepEvent, SweepEventError } from "../../../src/ports/deployment/sweep-event.ts";

describe("the event of the sweep", () => {
  it.each([
    [{ shard: 0 }, 0],
    [{ shard: 3 }, 3],
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
    // The schedule of an earlier version sends EventBridge's own event.
    [{ source: "aws.events", detail: {} }, undefined],
  ])("%j names shard %s", (received, shard) => {
    expect(readSweepEvent(received).shard).toBe(shard);
  });

  it.each([{ shard: 4 }, { shard: -1 }, { shard: "0" }, { shard: 0.5 }, "0"])("%j is refused", (received) => {
    expect(() => readSweepEvent(received)).toThrow(SweepEventError);
    expect(() => readSweepEvent(received)).toThrow('Expected {"shard": 0} to {"shard": 3}, or {} for all shards.');
  });
});
