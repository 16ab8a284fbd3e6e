import { describe, expect, it } from "vitest";
import type { PastRun } from "../../../src/parents/series/past-run.ts";
import { slowerTrend } from "../../../src/parents/series/slower-trend.ts";

/** Runs that end an hour apart and take as many seconds. */
function runsOf(seconds: readonly number[], template = 11): readonly PastRun[] {
  return seconds.map((length, at) => {
    const endedAt = (at + 1) * 3_600_000;
    return { id: at, createdAt: endedAt - length * 1000, endedAt, millis: length * 1000, template };
  });
}
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);
/** 1 to 30 seconds, in mixed order. */
const begin = upTo(30).map((at) => ((at * 7) % 30) + 1);

/** The trend after so many runs of a minute. */
const slow = (count: number) => slowerTrend(runsOf([...begin, ...upTo(count).map(() => 60)]), []);

describe("the trend of a series", () => {
  it("is slower if the median of the last 5 runs is above the 90th percentile before", () => {
    expect(slowerTrend(runsOf([...begin, 1, 29, 29, 29, 1]), [])).toMatchObject({ median: 29_000, p90: 28_000 });
    expect(slowerTrend(runsOf([...begin, 1, 28, 28, 28, 99]), [])).toBeUndefined();
  });

  it("began with the run that made it so, and ends when slow runs are usual", () => {
    expect(slow(2)).toBeUndefined();
    expect(slow(3)?.since).toBe(33 * 3_600_000);
    expect(slow(6)).toMatchObject({ since: 33 * 3_600_000, last: 5, before: 31 });
    expect(slow(12)).toBeUndefined();
  });

  it("compares at most 50 runs, and at least 10", () => {
    const old = upTo(15).map(() => 500);
    const last = [200, 200, 200, 200, 200];
    expect(slowerTrend(runsOf([...old, ...upTo(50), ...last]), [])).toMatchObject({ before: 50 });
    expect(slowerTrend(runsOf([...upTo(10), ...last]), [])).toMatchObject({ before: 10 });
    expect(slowerTrend(runsOf([...upTo(9), ...last]), [])).toBeUndefined();
    expect(slowerTrend([], [])).toBeUndefined();
  });

  it("leaves out runs of another template, and runs across a gap", () => {
    const runs = runsOf([...begin, 60, 60, 60]);
    const changed = [...runs.slice(0, 30).map((run) => ({ ...run, template: 22 })), ...runs.slice(30)];
    expect(slowerTrend(changed, [])).toBeUndefined();
    const hidden = { from: 31 * 3_600_000 - 10_000, to: 33 * 3_600_000 - 10_000, resources: ["jobs"] };
    expect(slowerTrend(runs, [hidden])).toBeUndefined();
    expect(slowerTrend(runs, [{ ...hidden, resources: ["nodes"] }])).toBeDefined();
  });
});
