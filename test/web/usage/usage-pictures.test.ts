import { describe, expect, it } from "vitest";
import type { UsageReport } from "../../../src/query/usage/usage-report.ts";
import { bucketsOf } from "../../../web/pictures/bucket.ts";
import { usageOf, wasteOf } from "../../../web/usage/usage-pictures.ts";

const DAY = 86_400_000;
const FROM = Date.parse("2026-11-20T00:00:00Z");
const NONE = {
  total: 0,
  startUp: 0,
  idle: 0,
  active: 0,
  kept: 0,
  duplicate: 0,
  failed: 0,
  interrupted: 0,
  cancelled: 0,
  unknown: 0,
};

function usage(podSeconds: Partial<typeof NONE>): UsageReport["usage"] {
  const total = Object.values(podSeconds).reduce((sum, seconds) => sum + seconds, 0);
  return { pods: 1, bound: "exact", podSeconds: { ...NONE, ...podSeconds, total }, resources: {} };
}

function report(all: Partial<typeof NONE>): UsageReport {
  return {
    since: "2026-11-20T00:00:00Z",
    until: "2026-11-22T00:00:00Z",
    usage: usage(all),
    groups: [{ key: "2026-11-20T00:00:00Z", usage: usage(all) }],
    complete: true,
  };
}

/** Two days, of which the second was not observed. */
const buckets = bucketsOf({ from: FROM, to: FROM + 2 * DAY, unit: "day" }, FROM + 2 * DAY).map((bucket, day) => ({
  ...bucket,
  coverage: day === 1 ? ({ kind: "unobserved", cause: "gap" } as const) : ({ kind: "observed" } as const),
}));
const shown = (all: Partial<typeof NONE>) => ({ unit: "day" as const, buckets, report: report(all) });

describe("the picture of reserved Pod time", () => {
  it("has the classes that have any time, kept below and failed on top", () => {
    const { data, caption } = usageOf(shown({ failed: 600, kept: 1_800, startUp: 60 }));
    expect(data.series.map(({ name, values }) => [name, values])).toEqual([
      ["kept", [1_800, undefined]],
      ["start-up", [60, undefined]],
      ["failed", [600, undefined]],
    ]);
    expect(caption).toBe("Pods reserved 41m in total; 73.2 % of it was kept.");
  });

  it("says that nothing was reserved", () => {
    expect(usageOf(shown({})).caption).toBe("No Pod of a Job that is over reserved anything in this time.");
  });
});

describe("the picture of wasted Pod time", () => {
  it("has the classes without a result, and says which is the largest", () => {
    const { data, caption } = wasteOf(shown({ failed: 600, duplicate: 900, kept: 1_500 }), 3);
    expect(data.series.map(({ name }) => name)).toEqual(["failed", "duplicate"]);
    expect(caption).toBe("25m (50 % of the Pod time) had no result, mostly duplicate. Needless re-runs: 3.");
  });

  it("says that nothing was wasted", () => {
    expect(wasteOf(shown({ kept: 10 }), 0).caption).toBe("No Pod time was wasted.");
  });
});
