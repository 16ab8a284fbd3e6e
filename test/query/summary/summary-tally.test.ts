import { describe, expect, it } from "vitest";
import { SummaryTally } from "../../../src/query/summary/summary-tally.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const failed = listedJob({ verdict: { state: "Failed", final: true, basis: "both" } });
const finding = { kind: "CompletionLost", message: "", evidence: [] } as const;

describe("a summary of Jobs", () => {
  it("has no rates and no durations without Jobs", () => {
    expect(new SummaryTally().answer()).toEqual({
      jobs: 0,
      byState: {},
      pods: { seen: 0, succeeded: 0, failed: 0 },
      reRuns: { jobs: 0, pods: 0, seconds: 0 },
      findings: {},
      attention: 0,
    });
  });

  it("has the share of Complete Jobs among the finished ones", () => {
    const tally = new SummaryTally();
    for (const job of [listedJob(), listedJob(), listedJob(), failed]) tally.add(job, false);
    tally.add(listedJob({ verdict: { state: "Running", final: false, basis: "both" } }), false);
    expect(tally.answer()).toMatchObject({
      jobs: 5,
      successRate: 0.75,
      byState: { Complete: 3, Failed: 1, Running: 1 },
    });
  });

  it("counts a Job once for each kind of finding", () => {
    const tally = new SummaryTally();
    tally.add(listedJob({ findings: [finding, finding] }), true);
    tally.add(listedJob({ findings: [finding] }), false);
    expect(tally.answer()).toMatchObject({ findings: { CompletionLost: 2 }, attention: 1 });
  });

  it("has percentiles of durations by nearest rank", () => {
    const tally = new SummaryTally();
    for (let seconds = 1; seconds <= 10; seconds += 1) {
      tally.add(listedJob({ startedAt: second(0), finishedAt: second(seconds) }), false);
    }
    expect(tally.answer().durationSeconds).toEqual({ p50: 5, p90: 9, p99: 10, max: 10 });
  });
});
