import { describe, expect, it } from "vitest";
import type { DueRun } from "../../../src/parents/cron-job/due-runs.ts";
import { missedRuns, observedRun, unobservedRuns } from "../../../src/query/cron-jobs/cron-run.ts";

const at = (hours: number): number => Date.parse("2026-01-01T00:00:00Z") + hours * 3_600_000;
const due: readonly DueRun[] = [
  { dueAt: at(1), outcome: "unknown", reason: "beforeFirstObservation" },
  { dueAt: at(2), outcome: "ran" },
  { dueAt: at(3), outcome: "skipped", during: "hourly-2" },
  { dueAt: at(4), outcome: "missed", final: true },
  { dueAt: at(5), outcome: "unknown", reason: "gap" },
  { dueAt: at(6), outcome: "missed", final: false },
  { dueAt: at(7), outcome: "pending" },
];

describe("the missed runs of a CronJob", () => {
  it("are the due times without a run and why, newest first", () => {
    expect(missedRuns(due, 10)).toEqual([
      { dueAt: "2026-01-01T06:00:00Z", cause: "missed", mayStartLate: true },
      { dueAt: "2026-01-01T04:00:00Z", cause: "missed" },
      { dueAt: "2026-01-01T03:00:00Z", cause: "skipped", during: "hourly-2" },
    ]);
  });

  it("do not include those that were not observed, which are listed with the reason", () => {
    expect(unobservedRuns(due, 10)).toEqual([
      { dueAt: "2026-01-01T05:00:00Z", reason: "gap" },
      { dueAt: "2026-01-01T01:00:00Z", reason: "beforeFirstObservation" },
    ]);
  });

  it("are the newest of them if there are many", () => {
    expect(missedRuns(due, 1).map(({ dueAt }) => dueAt)).toEqual(["2026-01-01T06:00:00Z"]);
    expect(unobservedRuns(due, 1).map(({ dueAt }) => dueAt)).toEqual(["2026-01-01T05:00:00Z"]);
  });
});

describe("a run", () => {
  const run = { name: "hourly-2", uid: "u2", createdAt: "2026-01-01T02:00:05Z", attention: false };

  it("has ended when it finished, or was deleted before", () => {
    const finished = { ...run, state: "Complete" as const, finishedAt: "2026-01-01T02:30:00Z" };
    const deletedAt = "2026-01-01T03:00:00Z";
    expect(observedRun({ ...finished, deletedAt }).endedAt).toBe(at(2.5));
    expect(observedRun({ ...run, state: "Deleted", deletedAt }).endedAt).toBe(at(3));
    expect(observedRun({ ...run, state: "Running" })).toEqual({
      name: "hourly-2",
      state: "Running",
      createdAt: at(2) + 5_000,
    });
  });

  it("has its scheduled time and its start", () => {
    const started = { scheduledAt: "2026-01-01T02:00:00Z", startedAt: "2026-01-01T02:00:05Z" };
    expect(observedRun({ ...run, ...started, state: "Running" })).toMatchObject({
      scheduledAt: at(2),
      startedAt: at(2) + 5_000,
    });
  });
});
