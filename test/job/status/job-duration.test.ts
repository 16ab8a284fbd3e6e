import { describe, expect, it } from "vitest";
import { jobDuration, jobRunTime } from "../../../src/job/status/job-duration.ts";

const STARTED = "2026-11-21T08:00:00Z";
const FINISHED = "2026-11-21T08:00:30Z";
const DELETED = "2026-11-21T08:00:40Z";
const NOW = Date.parse("2026-11-21T09:00:00Z");

describe("the duration of a Job", () => {
  it.each([
    ["that finished", { startedAt: STARTED, finishedAt: FINISHED }, 30_000],
    ["that finished at once", { startedAt: STARTED, finishedAt: STARTED }, 0],
    ["whose finish precedes its start", { startedAt: FINISHED, finishedAt: STARTED }, undefined],
    ["that is running", { startedAt: STARTED }, undefined],
    ["whose start was not observed", { finishedAt: FINISHED }, undefined],
  ])("%s is from start to finish, or unknown", (_, job, expected) => {
    expect(jobDuration(job)).toBe(expected);
  });
});

describe("the run time of a Job", () => {
  it.each([
    ["that finished", { startedAt: STARTED, finishedAt: FINISHED }, 30_000],
    ["that finished and was deleted", { startedAt: STARTED, finishedAt: FINISHED, deletedAt: DELETED }, 30_000],
    ["that was deleted before it finished", { startedAt: STARTED, deletedAt: DELETED }, 40_000],
    ["that is running", { startedAt: STARTED }, 3_600_000],
    ["that has not started", {}, undefined],
  ])("%s ends with the Job", (_, job, expected) => {
    expect(jobRunTime(job, NOW)).toBe(expected);
  });
});
