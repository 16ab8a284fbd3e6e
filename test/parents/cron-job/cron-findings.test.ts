import {
  type CronFinding,
  cronFindings,
  explainCronFinding,
  type ObservedRun,
} from "../../../src/parents/cron-job/cron-findings.ts";
import type { CronPlan } from "../../../src/parents/cron-job/cron-plan.ts";
import { dueRuns } from "../../../src/parents/cron-job/due-runs.ts";
import { describe, expect, it } from "vitest";

/** Hours after the CronJob's creation. */
const hour = (hours: number): number => Date.parse("2026-06-01T00:00:00Z") + hours * 3_600_000;

function planOf(concurrencyPolicy = "Allow"): CronPlan {
  return {
    observedFrom: hour(0),
    spans: [{ schedule: "0 * * * *", suspend: false, concurrencyPolicy, from: hour(0) }],
  };
}

/** The run of an hour, which succeeds in six minutes. */
function run(scheduled: number, said: Partial<ObservedRun> = {}): ObservedRun {
  const at = hour(scheduled);
  return {
    name: `hourly-${scheduled}`,
    scheduledAt: at,
    createdAt: at,
    startedAt: at,
    endedAt: hour(scheduled + 0.1),
    state: "Complete",
    ...said,
  };
}

const failed = (scheduled: number): ObservedRun => run(scheduled, { state: "Failed" });

/** The run of an hour that has not ended. */
function running(scheduled: number): ObservedRun {
  const { endedAt: _, ...rest } = run(scheduled);
  return { ...rest, state: "Running" };
}

const runs = (...hours: readonly number[]): readonly ObservedRun[] => hours.map((scheduled) => run(scheduled));

/** The findings as of an hour, when the cluster was just heard of. */
function found(of: readonly ObservedRun[], at: number, plan = planOf()): readonly CronFinding[] {
  const heardAt = hour(at);
  const due = dueRuns(plan, of, { after: hour(0), now: heardAt, heardAt, gaps: [], limit: 100 });
  return cronFindings({ plan, due, runs: of, heardAt, pastRuns: [], gaps: [] });
}

describe("a missed run", () => {
  it("is found if the last due time has no run", () => {
    expect(found(runs(1, 2), 3.5)).toEqual([
      { kind: "MissedRun", since: hour(3), lastDueAt: hour(3), count: 1, final: false },
    ]);
  });

  it("is one finding with those before it that were missed too", () => {
    expect(found(runs(1), 4.5)).toEqual([
      { kind: "MissedRun", since: hour(2), lastDueAt: hour(4), count: 3, final: false },
    ]);
  });

  it("is a finding of its own after a run that was on time", () => {
    expect(found(runs(2), 3.5)).toMatchObject([{ kind: "MissedRun", since: hour(3), lastDueAt: hour(3), count: 1 }]);
  });

  it("is found for an hour after the next run was on time", () => {
    expect(found(runs(1, 3), 3 - 0.001)).toMatchObject([{ since: hour(2), final: false }]);
    expect(found(runs(1, 3), 3)).toMatchObject([{ since: hour(2), count: 1 }]);
    expect(found(runs(1, 3), 3.1)).toEqual([]);
  });

  it("is not found in time, while a run may still arrive", () => {
    expect(found(runs(1, 2), 3.01)).toEqual([]);
  });
});

describe("failures in a row", () => {
  it("are found from the third on, until the next success", () => {
    expect(found([run(1), failed(2), failed(3)], 3.5)).toEqual([]);
    expect(found([failed(4), run(1), failed(2), failed(3)], 4.5)).toEqual([
      { kind: "ConsecutiveFailures", since: hour(2.1), count: 3, run: "hourly-4", atLeast: false },
    ]);
    expect(found([failed(1), failed(2), failed(3), run(4)], 4.5)).toEqual([]);
  });

  it("may be more than those that are known", () => {
    expect(found([failed(1), failed(2), failed(3)], 3.5)).toMatchObject([{ count: 3, atLeast: true }]);
  });

  it("are not interrupted by runs in progress or deleted ones", () => {
    const deleted = run(3, { state: "Deleted" });
    const open = running(5);
    expect(found([failed(1), failed(2), deleted, failed(4), open], 5.1)).toMatchObject([{ count: 3 }]);
  });
});

describe("a trend", () => {
  it("is a finding if the last runs took longer than most before", () => {
    const lengths = [...Array.from({ length: 20 }, () => 100), 300, 300, 300];
    const pastRuns = lengths.map((seconds, at) => {
      const [endedAt, millis] = [hour(at), seconds * 1000];
      return { id: at, createdAt: endedAt - millis, endedAt, millis, template: 1 };
    });
    expect(cronFindings({ plan: planOf("Allow"), due: [], runs: [], heardAt: hour(1), pastRuns, gaps: [] })).toEqual([
      { kind: "TrendSlower", since: hour(22), last: 5, before: 18, median: 300_000, p90: 100_000 },
    ]);
  });
});

describe("an overlapping run", () => {
  it.each(["Allow", "Forbid", "Replace"])("is in progress when the next one is due, with policy %s", (policy) => {
    const open = [run(1), running(2), ...(policy === "Forbid" ? [] : [run(3)])];
    expect(found(open, 2.9, planOf(policy))).toEqual([]);
    expect(found(open, 3.05, planOf(policy))).toEqual([
      { kind: "OverlappingRun", since: hour(3), run: "hourly-2", concurrencyPolicy: policy },
    ]);
  });

  it("is the first of several that are in progress", () => {
    expect(found([running(1), running(2)], 2.05)).toMatchObject([
      { kind: "OverlappingRun", run: "hourly-1", since: hour(2) },
    ]);
  });

  it("may be a manual run", () => {
    const { scheduledAt: _, ...manual } = { ...running(1.5), name: "by-hand" };
    expect(found([run(1), manual, run(2)], 2.1)).toMatchObject([{ kind: "OverlappingRun", run: "by-hand" }]);
  });
});

const at = (hours: number): number => Date.parse("2026-06-01T00:00:00Z") + hours * 3_600_000;
const missed = { kind: "MissedRun", since: at(3), lastDueAt: at(3), count: 1, final: true } as const;
const failures = { kind: "ConsecutiveFailures", since: at(1), count: 3, run: "nightly-3", atLeast: false } as const;
const overlap = { kind: "OverlappingRun", since: at(2), run: "nightly-1" } as const;
const overlaps = "Run nightly-1 was still in progress when the next run was due at 2026-06-01T02:00:00Z";

describe("a finding about a CronJob in words", () => {
  it.each<[CronFinding, string]>([
    [missed, "No run was created for the due time 2026-06-01T03:00:00Z."],
    [{ ...missed, final: false }, "No run was created for the due time 2026-06-01T03:00:00Z; it may still start late."],
    [
      { ...missed, since: at(1), count: 3 },
      "No run was created for 3 due times from 2026-06-01T01:00:00Z to 2026-06-01T03:00:00Z.",
    ],
    [
      { ...missed, startingDeadlineSeconds: 60 },
      "No run was created for the due time 2026-06-01T03:00:00Z within startingDeadlineSeconds (60).",
    ],
    [failures, "The last 3 runs failed, since 2026-06-01T01:00:00Z; the newest is nightly-3."],
    [
      { ...failures, atLeast: true },
      "The last known 3 runs failed, since 2026-06-01T01:00:00Z; the newest is nightly-3.",
    ],
    [
      { kind: "TrendSlower", since: at(1), last: 5, before: 50, median: 900_000, p90: 600_000 },
      "The median of the last 5 runs is 15 min; 9 in 10 of the 50 runs before took at most 10 min.",
    ],
    [{ ...overlap, concurrencyPolicy: "Allow" }, `${overlaps}; both run at the same time (concurrencyPolicy Allow).`],
    [
      { ...overlap, concurrencyPolicy: "Forbid" },
      `${overlaps}; runs are skipped until it ends (concurrencyPolicy Forbid).`,
    ],
    [
      { ...overlap, concurrencyPolicy: "Replace" },
      `${overlaps}; the next run replaces it (concurrencyPolicy Replace).`,
    ],
    [{ ...overlap, concurrencyPolicy: "" }, `${overlaps}.`],
  ])("%o", (finding, text) => {
    expect(explainCronFinding(finding)).toBe(text);
  });
});
