import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import { withChanges } from "../../../web/jobs/changed-rows.ts";
import { jobListRow } from "../../../web/jobs/job-list-row.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const running: JobAnswer["verdict"] = { state: "Running", final: false, basis: "both" };
const first = listedJob({ uid: "1", name: "first", createdAt: second(1) });
const newer = listedJob({ uid: "2", name: "second", createdAt: second(2), verdict: running });
const rows = [newer, first].map(jobListRow);
const changed = (...jobs: readonly JobAnswer[]) => new Map(jobs.map((job) => [job.uid, jobListRow(job)]));
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe("the list of Jobs, when a Job changed", () => {
  const done = { ...newer, verdict: first.verdict };

  it("updates it in its position", () => {
    const shown = withChanges(rows, changed(done), {});
    expect(shown.map(({ name, state }) => [name, state])).toEqual([
      ["second", "Complete"],
      ["first", "Complete"],
    ]);
  });

  it("removes it if its state no longer matches", () => {
    expect(names(withChanges(rows.slice(0, 1), changed(done), { state: "Running,Pending" }))).toEqual([]);
  });

  it.each([
    ["newest first", {}, ["third", "second", "first"]],
    ["oldest first", { sort: "createdAt" }, ["first", "second", "third"]],
  ])("inserts a new one by its creation, %s", (_, filters, order) => {
    const third = listedJob({ uid: "3", name: "third", createdAt: second(3) });
    const before = "sort" in filters ? rows.toReversed() : rows;
    expect(names(withChanges(before, changed(third), filters))).toEqual(order);
  });

  it.each([{ labelSelector: "a=b" }, { cluster: "west" }, { owner: "x" }, { state: "Failed" }])(
    "omits a new one that may not match %o",
    (filters) => {
      const third = listedJob({ uid: "3", name: "third" });
      expect(names(withChanges([], changed(third), filters))).toEqual([]);
    },
  );
});
