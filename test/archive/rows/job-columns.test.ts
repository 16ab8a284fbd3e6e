import { describe, expect, it } from "vitest";
import { JOB_COLUMNS, jobRow } from "../../../src/archive/rows/job-columns.ts";
import { listedJob } from "../../support/story/listed-job.ts";

describe("the row of an answer", () => {
  it("has zero where the status leaves a count out", () => {
    const answer = listedJob({ status: {} });
    const row = jobRow({ answer, needless: { runs: 2, millis: 1_500 }, hours: [0], revision: 3 });
    expect(row).toMatchObject({ status_active: 0, status_succeeded: 0, status_failed: 0, needless_seconds: 1.5 });
    expect(row).toMatchObject({ archive_hours: [0], revision: 3 });
  });

  it("has each column once", () => {
    const names = JOB_COLUMNS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
