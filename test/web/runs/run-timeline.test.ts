import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { RunAnswer } from "../../../src/explain/run/run-document.ts";
import { MAX_NAMED } from "../../../web/job/timeline/timeline.ts";
import { jobsWithPods, layOutRun, marksOfRun } from "../../../web/runs/run-timeline.ts";
import { attemptOf } from "../../support/story/listed-attempt.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const NOW = Date.parse(second(60));

function attempt(number: number, state: RunAnswer["attempts"][number]["state"], uids: readonly string[]) {
  const startedAt = second(number * 20);
  return { number, state, startedAt, jobs: uids.map((uid) => ({ name: uid, uid, state: "Complete" })) };
}

function runOf(attempts: RunAnswer["attempts"], said: Partial<RunAnswer> = {}): RunAnswer {
  return {
    cluster: "east",
    namespace: "batch",
    kind: "JobSet",
    name: "train",
    labels: {},
    externalIds: {},
    verdict: { state: "Complete", final: true, basis: "both" },
    attempts,
    jobs: { total: 0, complete: 0, failed: 0, running: 0, waiting: 0, deleted: 0, unknown: 0 },
    findings: [],
    completeness: { level: "complete", gaps: [] },
    asOf: { time: second(60) },
    ...said,
  };
}

function jobOf(uid: string, said: Partial<JobAnswer> = {}): JobAnswer {
  return listedJob({ uid, name: uid, ...said });
}

const TWICE = runOf([attempt(0, "Failed", ["a0"]), attempt(1, "Complete", ["a1"])]);

describe("the timeline of a run", () => {
  it("has a row for each Job, and its Pods below it in order of creation", () => {
    const pods = new Map([["a0", [attemptOf(2), attemptOf(1)]]]);
    const run = runOf([attempt(0, "Complete", ["a0"])]);
    const { groups } = layOutRun({ run, jobs: [jobOf("a0")], pods }, [], NOW);
    expect(groups.map(({ title }) => title)).toEqual([""]);
    expect(groups[0]?.bars.map(({ name, lane }) => [name, lane])).toEqual([
      ["a0", 0],
      ["└ report-1", 1],
      ["└ report-2", 2],
    ]);
  });

  it("has a group for each attempt, on one axis", () => {
    const jobs = [jobOf("a0"), jobOf("a1", { createdAt: second(20), startedAt: second(21), finishedAt: second(40) })];
    const { from, to, groups } = layOutRun({ run: TWICE, jobs, pods: new Map() }, [], NOW);
    expect(groups.map(({ title, bars }) => [title, bars.map(({ name }) => name)])).toEqual([
      ["Attempt 0: Failed", ["a0"]],
      ["Attempt 1: Complete", ["a1"]],
    ]);
    expect([from, to]).toEqual([Date.parse(second(0)), Date.parse(second(40))]);
  });

  it("draws a Job that Kueue starts again once, in its first attempt", () => {
    const run = runOf([attempt(0, "Interrupted", ["a"]), attempt(1, "Complete", ["a", "b"])]);
    const { groups } = layOutRun({ run, jobs: [jobOf("a"), jobOf("b")], pods: new Map() }, [], NOW);
    expect(groups.map(({ bars }) => bars.map(({ name }) => name))).toEqual([["a"], ["b"]]);
  });

  it("leaves out the Pods, and packs the Jobs, if they have no room", () => {
    const uids = Array.from({ length: MAX_NAMED + 1 }, (_, number) => `job-${number}`);
    const pods = new Map(uids.map((uid) => [uid, [attemptOf(1)]] as const));
    const run = runOf([attempt(0, "Complete", uids)]);
    const { groups } = layOutRun({ run, jobs: uids.map((uid) => jobOf(uid)), pods }, [], NOW);
    expect(groups.map(({ named, bars }) => [named, bars.length])).toEqual([[false, MAX_NAMED + 1]]);
  });

  it("says in words what a Job was", () => {
    const job = jobOf("a0", {
      verdict: { state: "Failed", reason: "BackoffLimitExceeded", final: true, basis: "both" },
    });
    const [bar] = layOutRun({ run: TWICE, jobs: [job], pods: new Map() }, [], NOW).groups[0]?.bars ?? [];
    expect(bar?.describe()).toMatch(/^Job a0: Failed \(BackoffLimitExceeded\); created \d\d:\d\d:\d\d$/);
    expect(bar?.outcome).toBe("Failed");
  });
});

function withPods(uid: string, seen: number): JobAnswer {
  return jobOf(uid, { pods: { seen, succeeded: seen, failed: 0, active: 0, terminating: 0, unknown: 0 } });
}

describe("the Jobs whose Pods are read", () => {
  it("are those that have Pods", () => {
    expect(jobsWithPods([withPods("a", 2), withPods("b", 0)]).map(({ uid }) => uid)).toEqual(["a"]);
  });

  it("are none if not all Pods have room", () => {
    expect(jobsWithPods([withPods("a", 1), withPods("b", MAX_NAMED - 2)])).toEqual([]);
  });
});

describe("the marks of a run", () => {
  it("are its attempts, what Kueue did, and its end", () => {
    const queue = {
      name: "team",
      waits: [],
      admittedAt: [second(2)],
      evictions: [{ at: second(9), reason: "Preempted" }],
    };
    const run = { ...TWICE, queue, finishedAt: second(50) };
    expect(marksOfRun(run).map(({ text }) => text)).toEqual([
      "attempt 0",
      "admitted by Kueue",
      "evicted: Preempted",
      "attempt 1",
      "run finished",
    ]);
  });

  it("do not name the only attempt", () => {
    expect(marksOfRun(runOf([attempt(0, "Running", [])]))).toEqual([]);
  });
});
