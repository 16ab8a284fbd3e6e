import { describe, expect, it } from "vitest";
import { conditionOf, subjectOfJob } from "../../src/notify/subject.ts";
import { listedJob } from "../support/story/listed-job.ts";
import { failedJob } from "../support/story/notified.ts";

describe("the subject of a Job", () => {
  it("has its verdict, cause and findings, and the cause as the headline", () => {
    const evidence = [] as const;
    const who = { responsible: "limit", retry: "more-memory" } as const;
    const job = listedJob({
      uid: "u1",
      owner: { kind: "CronJob", name: "charge", uid: "c1" },
      verdict: { state: "Failed", reason: "BackoffLimitExceeded", final: true, basis: "both" },
      cause: { category: "oom", ...who, message: "OOMKilled: container work", attempts: 3, counted: 3, evidence },
      findings: [{ kind: "LimitReached", message: "m", since: "2026-01-01T00:00:00Z", evidence }],
    });
    expect(subjectOfJob(job)).toMatchObject({
      kind: "Job",
      uid: "u1",
      owner: { kind: "CronJob", name: "charge" },
      state: "Failed",
      reason: "BackoffLimitExceeded",
      final: true,
      cause: "oom",
      ...who,
      findings: [{ kind: "LimitReached", message: "m" }],
      headline: "Failed: OOMKilled: container work",
    });
  });

  it("has its annotations for Outlive among its labels, which have precedence", () => {
    const annotations = { "outlive.dev/notify": "team-a", "outlive.dev/tier": "1" };
    const { labels } = subjectOfJob(listedJob({ labels: { team: "a", "outlive.dev/tier": "2" }, annotations }));
    expect(labels).toEqual({ team: "a", "outlive.dev/notify": "team-a", "outlive.dev/tier": "2" });
  });

  it("without a cause names its reason, or only its state", () => {
    const verdict = { state: "Failed", reason: "DeadlineExceeded", final: true, basis: "reported" } as const;
    expect(subjectOfJob(listedJob({ verdict })).headline).toBe("Failed: DeadlineExceeded");
    const { reason: _, ...bare } = verdict;
    expect(subjectOfJob(listedJob({ verdict: bare })).headline).toBe("Failed.");
  });
});

describe("the trace of a Job", () => {
  const pods = { seen: 2, succeeded: 1, failed: 0, active: 0, terminating: 1, unknown: 0 };
  const running = { state: "Running", final: false, basis: "both" } as const;
  it.each([
    ["that is final is whole", {}, "whole"],
    ["lacks the ends of Pods that are being stopped", { pods }, "partial"],
    ["does not exist while it runs", { verdict: running }, undefined],
    ["that belongs to a run is that of the run", { run: { kind: "JobSet", name: "train", uid: "js-1" } }, undefined],
    ["in a run that names alone describe does not exist", { run: { kind: "Workflow", name: "w" } }, undefined],
  ])("%s", (_, said, expected) => {
    expect(subjectOfJob(listedJob(said)).trace).toBe(expected);
  });
});

describe("the condition of a subject", () => {
  const condition = conditionOf(failedJob());
  it.each<[string, Parameters<typeof failedJob>[0], boolean]>([
    ["other words", { headline: "x", at: "2027-01-01T00:00:00Z" }, true],
    ["another state", { state: "Complete" }, false],
    ["another reason", { reason: "DeadlineExceeded" }, false],
    ["another cause", { cause: "node-loss" }, false],
    ["another responsibility", { responsible: "platform", retry: "same" }, true],
    ["a finding", { findings: [{ kind: "Waiting", message: "m" }] }, false],
  ])("with %s is the same: %j", (_, said, same) => {
    expect(conditionOf(failedJob(said)) === condition).toBe(same);
  });

  it("does not depend on the order or number of findings", () => {
    const [a, b] = [
      { kind: "A", message: "1" },
      { kind: "B", message: "2" },
    ];
    expect(conditionOf(failedJob({ findings: [a, b] }))).toBe(conditionOf(failedJob({ findings: [b, a, b] })));
  });
});
