import { describe, expect, it } from "vitest";
import { formatInstant } from "../../../src/job/model/instant.ts";
import type { DueRun } from "../../../src/parents/cron-job/due-runs.ts";
import { cronDays } from "../../../src/query/cron-jobs/cron-days.ts";
import type { CronRunAnswer } from "../../../src/query/cron-jobs/cron-run.ts";

const at = (text: string): number => Date.parse(text);
const utcDay = (instant: number): string => formatInstant(instant).slice(0, 10);

function run(createdAt: string, said: Partial<CronRunAnswer> = {}): CronRunAnswer {
  return { name: "nightly-1", uid: createdAt, state: "Complete", createdAt, attention: false, ...said };
}

describe("the days of a CronJob", () => {
  it("count the scheduled, missed, skipped, unobserved and finished runs of each day, in order", () => {
    const due: readonly DueRun[] = [
      { dueAt: at("2026-01-02T00:00:00Z"), outcome: "ran" },
      { dueAt: at("2026-01-01T00:00:00Z"), outcome: "ran" },
      { dueAt: at("2026-01-01T06:00:00Z"), outcome: "skipped", during: "nightly-1" },
      { dueAt: at("2026-01-01T12:00:00Z"), outcome: "missed", final: true },
      { dueAt: at("2026-01-01T18:00:00Z"), outcome: "unknown", reason: "gap" },
      { dueAt: at("2026-01-02T06:00:00Z"), outcome: "pending" },
    ];
    const runs = [run("2026-01-02T00:00:05Z", { state: "Failed" }), run("2026-01-01T00:00:05Z")];
    expect(cronDays({ due, runs }, utcDay)).toEqual([
      { day: "2026-01-01", expected: 4, runs: 1, complete: 1, failed: 0, missed: 1, skipped: 1, unknown: 1 },
      { day: "2026-01-02", expected: 2, runs: 1, complete: 0, failed: 1, missed: 0, skipped: 0, unknown: 0 },
    ]);
  });

  it("count a run on the day of its scheduled time, even if it was created on the next day", () => {
    const late = run("2026-01-02T00:00:30Z", { scheduledAt: "2026-01-01T23:59:00Z", state: "Running" });
    expect(cronDays({ due: [], runs: [late] }, utcDay)).toEqual([
      { day: "2026-01-01", expected: 0, runs: 1, complete: 0, failed: 0, missed: 0, skipped: 0, unknown: 0 },
    ]);
  });

  it("are none without runs and scheduled times", () => {
    expect(cronDays({ due: [], runs: [] }, utcDay)).toEqual([]);
  });
});
