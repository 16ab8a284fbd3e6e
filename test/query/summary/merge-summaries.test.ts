import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupOf } from "../../../src/query/summary/summary-group.ts";
import { mergeSummaries } from "../../../src/query/summary/merge-summaries.ts";
import { SummaryTallies } from "../../../src/query/summary/summary.ts";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const arbitraryJob = fc
  .record({
    seconds: fc.integer({ min: 1, max: 5_000 }),
    namespace: fc.constantFrom("batch", "web"),
    failed: fc.boolean(),
  })
  .map(({ seconds, namespace, failed }) =>
    listedJob({
      namespace,
      startedAt: second(0),
      finishedAt: second(seconds),
      verdict: { state: failed ? "Failed" : "Complete", final: true, basis: "both" },
    }),
  );

function summaryOf(jobs: readonly JobAnswer[]) {
  const tallies = new SummaryTallies();
  for (const job of jobs) for (const tally of tallies.of(groupOf("namespace", job))) tally.add(job, false);
  return { ...tallies.answer(true, { durationBuckets: true }), complete: true };
}

describe("the sum of two summaries", () => {
  it("counts what one summary of all Jobs would count", () => {
    fc.assert(
      fc.property(fc.array(arbitraryJob), fc.array(arbitraryJob), (eu, us) => {
        const sum = mergeSummaries([summaryOf(eu), summaryOf(us)]);
        const all = mergeSummaries([summaryOf([...eu, ...us])]);
        expect(sum).toEqual(all);
      }),
    );
  });

  it("has percentiles within 3.2 % of those of all durations", () => {
    const jobs = [10, 20, 40, 80].map((seconds) => listedJob({ startedAt: second(0), finishedAt: second(seconds) }));
    const { durationSeconds } = mergeSummaries([summaryOf(jobs.slice(0, 2)), summaryOf(jobs.slice(2))]);
    expect((durationSeconds?.p50 ?? 0) / 20).toBeCloseTo(1, 1);
    expect((durationSeconds?.max ?? 0) / 80).toBeCloseTo(1, 1);
  });

  it("is exact from where the least complete one is", () => {
    const partial = (since: string) => ({ ...summaryOf([]), complete: false, partial: { since } });
    const sum = mergeSummaries([partial(second(1)), partial(second(9)), summaryOf([])]);
    expect(sum).toMatchObject({ complete: false, partial: { since: second(9) } });
  });

  it("is as old as the oldest counts in it", () => {
    const countedTo = (time: string) => ({ ...summaryOf([]), asOf: { time } });
    const sum = mergeSummaries([countedTo(second(9)), countedTo(second(3)), summaryOf([])]);
    expect(sum.asOf).toEqual({ time: second(3) });
    expect(mergeSummaries([summaryOf([])])).not.toHaveProperty("asOf");
  });

  it("says how many groups were omitted", () => {
    expect(mergeSummaries([{ ...summaryOf([]), groupsOmitted: 3 }, summaryOf([])]).groupsOmitted).toBe(3);
  });
});
