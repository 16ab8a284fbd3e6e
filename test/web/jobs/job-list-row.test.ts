import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { jobListRow, rowsWithWords } from "../../../web/jobs/job-list-row.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const running: JobAnswer["verdict"] = { state: "Running", final: false, basis: "both" };
const first = listedJob({ uid: "1", name: "first", createdAt: second(1) });
const newer = listedJob({ uid: "2", name: "second", createdAt: second(2), verdict: running });
const rows = [newer, first].map(jobListRow);

describe("the text search", () => {
  it.each([
    ["", 2],
    ["sec", 1],
    ["SECOND batch", 1],
    ["running", 1],
    ["nothing like it", 0],
  ])("finds %j in %i rows", (words, count) => {
    expect(rowsWithWords(rows, words)).toHaveLength(count);
  });
});

describe("a row", () => {
  it.each([
    [{}, false],
    [{ podsUnread: true as const }, true],
  ])("of a Job with %j says whether its Pods were read", (more, podsUnread) => {
    expect(jobListRow({ ...first, ...more }).podsUnread).toBe(podsUnread);
  });
});
