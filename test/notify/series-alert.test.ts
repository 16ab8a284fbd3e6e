import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decidedRuns, isSeriesFailing, lastRunsText } from "../../src/notify/series-alert.ts";
import type { ObservedRun } from "../../src/parents/cron-job/cron-findings.ts";

const HOUR = 3_600_000;
const STATES = { F: "Failed", S: "Complete", R: "Running", D: "Deleted" } as const;

function runsOf(outcomes: string): readonly ObservedRun[] {
  return outcomes.split("").map((outcome, at) => ({
    name: `nightly-${at}`,
    state: STATES[outcome as keyof typeof STATES],
    scheduledAt: at * HOUR,
    createdAt: at * HOUR,
    endedAt: at * HOUR + 60_000,
  }));
}

describe("the alert of a series", () => {
  it.each([
    ["", 1, 1, false],
    ["F", 1, 1, true],
    ["FS", 1, 1, false],
    ["FSF", 1, 1, true],
    ["FF", 3, 1, false],
    ["FFF", 3, 1, true],
    ["FFSF", 3, 1, false],
    ["FFFS", 3, 2, true],
    ["FFFSFS", 3, 2, true],
    ["FFFSS", 3, 2, false],
  ])("after %s, with thresholds %d and %d, is open: %s", (outcomes, failureThreshold, recoveryThreshold, expected) => {
    expect(isSeriesFailing(runsOf(outcomes), { failureThreshold, recoveryThreshold }, false)).toBe(expected);
  });

  it("stays as it was if no row of runs is long enough", () => {
    const thresholds = { failureThreshold: 2, recoveryThreshold: 2 };
    expect([true, false].map((wasOpen) => isSeriesFailing(runsOf("FSFS"), thresholds, wasOpen))).toEqual([true, false]);
  });

  it("is the same if earlier runs were judged before, however many", () => {
    const threshold = fc.integer({ min: 1, max: 4 });
    const outcomes = fc.array(fc.constantFrom("F", "S"), { maxLength: 20 });
    fc.assert(
      fc.property(outcomes, threshold, threshold, fc.nat(20), (all, failureThreshold, recoveryThreshold, at) => {
        const thresholds = { failureThreshold, recoveryThreshold };
        const runs = runsOf(all.join(""));
        const before = isSeriesFailing(runs.slice(0, at), thresholds, false);
        expect(isSeriesFailing(runs, thresholds, before)).toBe(isSeriesFailing(runs, thresholds, false));
      }),
    );
  });
});

describe("the runs that decide about a series", () => {
  it("are those of due times that succeeded or failed, in the order of their due times", () => {
    const [first, second, third, fourth] = runsOf("FSRD");
    const { scheduledAt: _, ...manual } = runsOf("F")[0] ?? first ?? { name: "", state: "Failed", createdAt: 0 };
    const all = [second, fourth, third, first, { ...manual, name: "by-hand" }].filter((run) => run !== undefined);
    expect(decidedRuns(all).map(({ name }) => name)).toEqual(["nightly-0", "nightly-1"]);
  });
});

describe("the text about the last runs", () => {
  it.each([
    ["SF", "The last run failed at 1970-01-01T01:01:00Z: nightly-1."],
    ["FS", "The last run succeeded at 1970-01-01T01:01:00Z: nightly-1."],
    ["SFF", "The last 2 runs failed, since 1970-01-01T01:01:00Z; the newest is nightly-2."],
    ["FSSS", "The last 3 runs succeeded, since 1970-01-01T01:01:00Z; the newest is nightly-3."],
    ["", "No run of the last due times has ended."],
  ])("of %s is: %s", (outcomes, text) => {
    expect(lastRunsText(runsOf(outcomes))).toBe(text);
  });

  it("has the reason of a failure", () => {
    const runs = runsOf("F").map((run) => ({ ...run, reason: "DeadlineExceeded" }));
    expect(lastRunsText(runs)).toBe("The last run failed at 1970-01-01T00:01:00Z: nightly-0 (DeadlineExceeded).");
  });
});
