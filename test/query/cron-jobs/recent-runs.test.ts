import { describe, expect, it } from "vitest";
import { formatInstant, type Instant } from "../../../src/job/model/instant.ts";
import type { CronPlan } from "../../../src/parents/cron-job/cron-plan.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { RecentRuns } from "../../../src/query/cron-jobs/recent-runs.ts";
import { clusterOf, listedJob, storesWith } from "../../support/story/listed-job.ts";

const at = (text: string): Instant => Date.parse(text);
const now = at("2026-06-01T12:30:00Z");

function planOf(schedule: string): CronPlan {
  const from = at("2020-01-01T00:00:00Z");
  return { observedFrom: from, spans: [{ schedule, suspend: false, concurrencyPolicy: "Allow", from }] };
}

describe("the last due times of a CronJob", () => {
  it.each<[string, number, string]>([
    ["* * * * *", 10, "2026-06-01T12:21:00Z"],
    ["0 * * * *", 10, "2026-06-01T03:00:00Z"],
    ["0 3 * * *", 10, "2026-05-23T03:00:00Z"],
    ["0 3 * * MON", 10, "2026-03-30T03:00:00Z"],
    ["0 0 1 1 *", 1, "2026-01-01T00:00:00Z"],
    ["@every 1h", 0, ""],
  ])("%s are %d, from %s on", (schedule, count, first) => {
    const times = new RecentRuns().timesOf("c1", planOf(schedule), { now: now });
    expect(times).toHaveLength(count);
    expect(times[0] === undefined ? "" : formatInstant(times[0])).toBe(first);
  });

  it("are remembered until the next one, or until the plan changes", () => {
    const recent = new RecentRuns();
    const plan = planOf("0 * * * *");
    const times = recent.timesOf("c1", plan, { now: now });
    expect(recent.timesOf("c1", plan, { now: now + 1_799_999 })).toBe(times);
    expect(recent.timesOf("c1", plan, { now: now + 1_800_000 }).at(-1)).toBe(at("2026-06-01T13:00:00Z"));
    expect(recent.timesOf("c1", planOf("30 * * * *"), { now: now + 1_800_000 }).at(-1)).toBe(
      at("2026-06-01T12:30:00Z"),
    );
    recent.keep(new Set());
    expect(recent.timesOf("c1", plan, { now: now })).not.toBe(times);
  });
});

describe("the runs of due times", () => {
  const place = { cluster: clusterOf("east"), namespace: "batch", name: "hourly" };
  const due = at("2026-06-01T12:00:00Z");
  const owner = { kind: "CronJob", name: "hourly", uid: "c1" };
  const createdAt = formatInstant(due + 2_000);
  const named = (name: string) => listedJob({ name, uid: name, owner, createdAt });
  const scheduledAt = formatInstant(due);
  const runsOf = async (...listed: readonly JobAnswer[]) => {
    const { jobs } = await storesWith(listed);
    return new RecentRuns().runsOf("c1", place, { jobs, times: [due - 3_600_000, due], now });
  };

  it.each([
    ["the minute", `hourly-${due / 60_000}`],
    ["the second, as before 1.21", `hourly-${due / 1_000}`],
  ])("have the due time in their name: %s", async (_, name) => {
    const runs = await runsOf({ ...named(name), scheduledAt }, named("hourly-2"));
    expect(runs).toMatchObject([{ name, scheduledAt: due, state: "Complete" }]);
  });

  it.each([
    ["again if it ended some minutes ago, as late facts may change it", now - 60_000, "Failed"],
    ["once if it ended earlier", now - 3_600_000, "Complete"],
  ])("are read %s", async (_, endedAt, expected) => {
    const run = { ...named(`hourly-${due / 60_000}`), scheduledAt, finishedAt: formatInstant(endedAt) };
    const recent = new RecentRuns();
    const stateIn = async (job: JobAnswer) => {
      const { jobs } = await storesWith([job]);
      return (await recent.runsOf("c1", place, { jobs, times: [due], now })).map(({ state }) => state);
    };
    expect(await stateIn(run)).toEqual(["Complete"]);
    expect(await stateIn({ ...run, verdict: { state: "Failed", final: true, basis: "both" } })).toEqual([expected]);
  });

  it("have the labels of their Jobs, and their annotations for Outlive", async () => {
    const keys = { labels: { team: "a" }, annotations: { "outlive.dev/notify": "team-a" } };
    expect(await runsOf({ ...named(`hourly-${due / 60_000}`), scheduledAt, ...keys })).toMatchObject([
      { labels: { team: "a", "outlive.dev/notify": "team-a" } },
    ]);
  });

  it.each<[string, Partial<JobAnswer>]>([
    ["a manual run", {}],
    ["a run of another time, by its annotation", { scheduledAt: formatInstant(due - 60_000) }],
    ["a Job of another CronJob", { scheduledAt, owner: { ...owner, name: "weekly" } }],
    ["a Job without a CronJob", { owner: { kind: "Workflow", name: "hourly", uid: "w1" } }],
  ])("are not Jobs that only have the name of one: %s", async (_, said) => {
    expect(await runsOf({ ...named(`hourly-${due / 60_000}`), ...said })).toEqual([]);
  });
});
