import { expect, it } from "vitest";
import { cronJobAnswer } from "../../../src/http/mcp/describe-cron-job.ts";
import type { CronRunsAnswer } from "../../../src/query/cron-jobs/cron-runs.ts";

const subject = { cluster: "east", namespace: "batch", kind: "cronjob", name: "nightly" };
const answer: CronRunsAnswer = {
  cronJob: {
    cluster: "east",
    namespace: "batch",
    name: "nightly",
    uid: "c1",
    schedule: "0 2 * * *",
    suspend: true,
    concurrencyPolicy: "Forbid",
    lastScheduledAt: "2026-01-01T02:00:00Z",
  },
  since: "2025-12-03T00:00:00Z",
  until: "2026-01-02T00:00:00Z",
  timeZone: "UTC",
  days: [],
  runs: [
    {
      name: "nightly-1",
      uid: "u1",
      state: "Failed",
      reason: "stop now",
      createdAt: "2026-01-01T02:00:00Z",
      attention: true,
    },
  ],
  missed: [{ dueAt: "2025-12-31T02:00:00Z", cause: "missed" }],
  unobserved: [],
  findings: [{ kind: "MissedRun", message: "one run is missing", since: "2025-12-31T02:00:00Z" }],
};

it("a CronJob is described by its findings, its missed and its newest runs", () => {
  const { head, lists } = cronJobAnswer(subject, answer, "https://a.example");
  expect(head).toMatchObject({
    sentence:
      "CronJob batch/nightly of cluster east had 1 run in the 30 days before 2026-01-02T00:00:00Z; 1 failed; " +
      "the last one, created at 2026-01-01T02:00:00Z, is Failed; 1 due time without a run; it is suspended; " +
      "findings: MissedRun.",
    target: "east/batch/cronjob/nightly",
    state: "Suspended",
    link: "https://a.example/#/cronjobs/east/batch/nightly",
    schedule: { suspended: true, missed: 1, concurrencyPolicy: "Forbid", untrusted: { schedule: "0 2 * * *" } },
  });
  expect(lists).toEqual({
    findings: [{ kind: "MissedRun", since: "2025-12-31T02:00:00Z", untrusted: { message: "one run is missing" } }],
    missed: [{ dueAt: "2025-12-31T02:00:00Z", cause: "missed" }],
    runs: [
      {
        target: "east/batch/job/nightly-1",
        uid: "u1",
        untrusted: { reason: "stop now" },
        state: "Failed",
        createdAt: "2026-01-01T02:00:00Z",
      },
    ],
  });
});

it("a deleted CronJob is known by its runs alone", () => {
  const { cronJob: _, ...runs } = answer;
  expect(cronJobAnswer(subject, runs, undefined).head).toMatchObject({ state: "Failed", final: false });
});
