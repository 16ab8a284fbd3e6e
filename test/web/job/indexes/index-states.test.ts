import { describe, expect, it } from "vitest";
import { countStates, indexCells, indexesIn } from "../../../../web/job/indexes/index-states.ts";
import { attemptOf } from "../../../support/story/listed-attempt.ts";
import { listedJob } from "../../../support/story/listed-job.ts";

describe("the indexes of a Job", () => {
  const spec = { ...listedJob().spec, completionMode: "Indexed", completions: 10 };
  const job = listedJob({ spec, status: { completedIndexes: "0-3,5", failedIndexes: "4" } });
  const cells = indexCells(job, [
    attemptOf(1, { index: 7, outcome: "Active" }),
    attemptOf(2, { index: 3, outcome: "Active" }),
  ]);

  it("have the state from the status, or from their Pods", () => {
    expect(countStates(cells)).toEqual({ Succeeded: 5, Failed: 1, Active: 1, Pending: 3 });
  });

  it("can be filtered by state", () => {
    expect(indexesIn(cells, "Pending")).toEqual([6, 8, 9]);
    expect(indexesIn(cells, undefined)).toHaveLength(10);
  });
});
