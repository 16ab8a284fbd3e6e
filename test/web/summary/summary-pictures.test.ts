import { describe, expect, it } from "vitest";
import type { SummaryGroup } from "../../../src/query/summary/summary.ts";
import { bucketsOf } from "../../../web/pictures/bucket.ts";
import {
  delaysOf,
  durationsOf,
  failedShareOf,
  failuresOf,
  groupsByTime,
  hasJobs,
  type SummaryOverTime,
} from "../../../web/summary/summary-pictures.ts";

const DAY = 86_400_000;
const FROM = Date.parse("2026-11-20T00:00:00Z");

function group(key: string, complete: number, failed: number, more: Partial<SummaryGroup> = {}): SummaryGroup {
  const ended = complete + failed;
  return {
    key,
    jobs: ended,
    byState: { ...(complete > 0 && { Complete: complete }), ...(failed > 0 && { Failed: failed }) },
    ...(ended > 0 && { successRate: complete / ended }),
    pods: { seen: 0, succeeded: 0, failed: 0 },
    reRuns: { jobs: 0, pods: 0, seconds: 0 },
    findings: {},
    attention: 0,
    ...more,
  };
}

/** Three days, of which the second was not observed. */
function summary(...groups: readonly SummaryGroup[]): SummaryOverTime {
  const buckets = bucketsOf({ from: FROM, to: FROM + 3 * DAY, unit: "day" }, FROM + 3 * DAY).map((bucket, day) => ({
    ...bucket,
    coverage: day === 1 ? ({ kind: "unobserved", cause: "gap" } as const) : ({ kind: "observed" } as const),
  }));
  return { unit: "day", buckets, groups: groupsByTime({ groups: [...groups] }) };
}

const SOME = summary(
  group("2026-11-20T00:00:00Z", 9, 1, { durationSeconds: { p50: 60, p90: 90, p99: 99, max: 100 } }),
  group("2026-11-22T00:00:00Z", 0, 0),
);

describe("the picture of failures", () => {
  it("has failed Jobs by day, and no value where nothing was observed", () => {
    const { caption, data } = failuresOf(SOME);
    expect(data.series[0]?.values).toEqual([1, undefined, 0]);
    expect(caption).toBe("1 of 10 Jobs failed.");
  });

  it("says that there is none", () => {
    expect(failuresOf(summary()).caption).toBe("No Job was created in this time.");
  });
});

describe("the picture of the share of failures", () => {
  it("has no value without an ended Job, which is not a share of 0", () => {
    const { caption, data } = failedShareOf(SOME);
    expect(data.series[0]?.values.map((value) => value && Math.round(value * 100) / 100)).toEqual([
      0.1,
      undefined,
      undefined,
    ]);
    expect(caption).toBe("10 % of the Jobs that ended failed, most on 20 Nov (10 %).");
    expect(failedShareOf(summary()).caption).toBe("No Job of this time has ended.");
  });
});

describe("the picture of durations", () => {
  it("has the percentiles of each day", () => {
    const { caption, data } = durationsOf(SOME, undefined);
    expect(data.series.map(({ values }) => values[0])).toEqual([60, 90]);
    expect(caption).toBe("On 20 Nov, half of the Jobs took at most 60s, nine in ten at most 90s.");
    expect(data.reference).toBeUndefined();
  });

  it("says that no duration or start delay is known", () => {
    expect(durationsOf(summary(), undefined).caption).toBe("No Job of this time has a known duration.");
    expect(delaysOf(SOME).caption).toBe("No Job of this time has had a running Pod.");
  });
});

describe("the days of a summary", () => {
  it("have Jobs if one was created then", () => {
    expect(SOME.buckets.map(hasJobs(SOME.groups))).toEqual([true, false, false]);
  });
});
