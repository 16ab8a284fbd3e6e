import { describe, expect, it } from "vitest";
import { capacityOfPeak } from "../../../lib/capacity/peak-capacity.ts";

describe("the capacity for a peak", () => {
  it.each([
    ["a small stage", 5, { ingestConcurrency: 10, packShards: 4, logShards: 4, queryConcurrency: 40 }],
    ["the default", 300, { ingestConcurrency: 10, packShards: 4, logShards: 4, queryConcurrency: 40 }],
    ["the reference fleet", 600, { ingestConcurrency: 20, packShards: 4, logShards: 4, queryConcurrency: 40 }],
    [
      "the first peak that a new table does not carry",
      620,
      { ingestConcurrency: 21, packShards: 4, logShards: 5, queryConcurrency: 40, warmWriteUnits: 5_000 },
    ],
    [
      "four reference fleets",
      2_350,
      { ingestConcurrency: 77, packShards: 8, logShards: 16, queryConcurrency: 94, warmWriteUnits: 16_000 },
    ],
    [
      "the most that the quota of a table allows",
      6_000,
      { ingestConcurrency: 196, packShards: 18, logShards: 39, queryConcurrency: 240, warmWriteUnits: 39_000 },
    ],
  ])("is, for %s", (_, peak, capacity) => {
    expect(capacityOfPeak(peak)).toEqual(capacity);
  });
});
