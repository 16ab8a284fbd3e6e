import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { compareStatus } from "../../../web/job/compare-status.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

function lineOf(field: string, job: JobAnswer) {
  return compareStatus(job).find((line) => line.field === field);
}

describe("the reported, observed and derived status", () => {
  const reported = { status: { succeeded: 1 }, resourceVersion: "7", observedAt: second(9) };
  const pods = { seen: 9, succeeded: 9, failed: 0, active: 0, terminating: 0, unknown: 0 };

  it("agree if all are equal", () => {
    const job = listedJob({ reported });
    expect(compareStatus(job).filter(({ differs }) => differs)).toEqual([]);
  });

  it("differ if Kubernetes forgot successes", () => {
    const job = listedJob({ reported, pods, status: { succeeded: 9 } });
    expect(lineOf("succeeded", job)).toEqual({
      field: "succeeded",
      reported: "1",
      observed: "9",
      derived: "9",
      differs: true,
    });
  });

  it("differ if only the facts contain an end", () => {
    const job = listedJob({ reported, status: { succeeded: 1, completionTime: second(5) } });
    expect(lineOf("completionTime", job)?.differs).toBe(true);
  });

  it("omit a field that none of them has", () => {
    expect(compareStatus(listedJob({ reported })).map(({ field }) => field)).toEqual(["succeeded"]);
  });
});
