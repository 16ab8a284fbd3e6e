import { describe, expect, it } from "vitest";
import type { CronDay } from "../../../src/query/cron-jobs/cron-days.ts";
import { calendarOf, cellText, dayText, toneOf } from "../../../web/cron-jobs/heat-day.ts";

/** A day on which nothing was due and nothing ran, with these counts. */
function dayWith(counts: Partial<CronDay>): CronDay {
  return {
    day: "2026-11-21",
    expected: 0,
    runs: 0,
    complete: 0,
    failed: 0,
    missed: 0,
    skipped: 0,
    unknown: 0,
    ...counts,
  };
}

describe("the colour and border of a day", () => {
  it.each<[string, Partial<CronDay>, string]>([
    ["nothing was due", {}, "none"],
    ["a due run may still be created", { expected: 1 }, "none"],
    ["a due time was not observed", { expected: 1, unknown: 1 }, "unobserved"],
    ["a due time was not observed, and a run is complete", { runs: 1, complete: 1, unknown: 1 }, "unobserved"],
    ["a due time was not observed, and a run failed", { runs: 1, failed: 1, unknown: 1 }, "failed"],
    ["a run was missed", { missed: 1 }, "missed"],
    ["all runs are complete", { expected: 2, runs: 2, complete: 2 }, "good"],
    ["a run is not finished", { expected: 1, runs: 1 }, "good"],
    ["one of two runs failed", { expected: 2, runs: 2, complete: 1, failed: 1 }, "failed"],
    ["one of two runs was missed", { expected: 2, runs: 1, complete: 1, missed: 1 }, "missed"],
    ["all runs failed", { expected: 2, runs: 2, failed: 2 }, "failed"],
    ["a run failed and another was missed", { expected: 2, runs: 1, failed: 1, missed: 1 }, "both"],
  ])("if %s: %o is %s", (_, counts, tone) => {
    expect(toneOf(dayWith(counts))).toBe(tone);
  });
});

describe("the text of a day", () => {
  it.each<[Partial<CronDay>, string, string]>([
    [{}, "0", "2026-11-21: 0 runs"],
    [{ runs: 1, complete: 1 }, "1", "2026-11-21: 1 run, 1 complete"],
    [{ runs: 3, complete: 1, failed: 1 }, "3 ✕1", "2026-11-21: 3 runs, 1 complete, 1 failed, 1 not finished"],
    [{ missed: 24 }, "0 !24", "2026-11-21: 0 runs, 24 missed"],
    [{ skipped: 2, unknown: 3 }, "0 ?3", "2026-11-21: 0 runs, 2 skipped, 3 not observed"],
  ])("with %o is %j, and %j for screen readers", (counts, cell, spoken) => {
    expect(cellText(dayWith(counts))).toBe(cell);
    expect(dayText(dayWith(counts))).toBe(spoken);
  });
});

describe("the days of a calendar", () => {
  it("end with the last day, and include those of another month", () => {
    expect(calendarOf("2026-03-01", 3)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  });
});
