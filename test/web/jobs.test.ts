import { describe, expect, it } from "vitest";
import { concernGroups } from "../../web/attention/attention-groups.ts";
import { withChanges } from "../../web/jobs/changed-rows.ts";
import { askedParameters } from "../../web/jobs/job-filter.ts";
import { jobListRow, rowsWithWords } from "../../web/jobs/job-list-row.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { listedJob, second } from "../support/story/listed-job.ts";

const running: JobAnswer["verdict"] = { state: "Running", final: false, basis: "both" };
const first = listedJob({ uid: "1", name: "first", createdAt: second(1) });
const newer = listedJob({ uid: "2", name: "second", createdAt: second(2), verdict: running });
const rows = [newer, first].map(jobListRow);
const changed = (...jobs: readonly JobAnswer[]) => new Map(jobs.map((job) => [job.uid, jobListRow(job)]));
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe("the list of Jobs, when a Job changed", () => {
  const done = { ...newer, verdict: first.verdict };

  it("shows it as it is now, where it was", () => {
    const shown = withChanges(rows, changed(done), {});
    expect(shown.map(({ name, state }) => [name, state])).toEqual([
      ["second", "Complete"],
      ["first", "Complete"],
    ]);
  });

  it("loses it where its state is not asked for any more", () => {
    expect(names(withChanges(rows.slice(0, 1), changed(done), { state: "Running,Pending" }))).toEqual([]);
  });

  it.each([
    ["newest first", {}, ["third", "second", "first"]],
    ["oldest first", { sort: "createdAt" }, ["first", "second", "third"]],
  ])("has a new one where its creation puts it, %s", (_, filters, order) => {
    const third = listedJob({ uid: "3", name: "third", createdAt: second(3) });
    const before = "sort" in filters ? rows.toReversed() : rows;
    expect(names(withChanges(before, changed(third), filters))).toEqual(order);
  });

  it.each([{ labelSelector: "a=b" }, { cluster: "west" }, { owner: "x" }, { state: "Failed" }])(
    "leaves a new one out where %o may not hold for it",
    (filters) => {
      const third = listedJob({ uid: "3", name: "third" });
      expect(names(withChanges([], changed(third), filters))).toEqual([]);
    },
  );
});

describe("words in the list", () => {
  it.each([
    ["", 2],
    ["sec", 1],
    ["SECOND batch", 1],
    ["running", 1],
    ["nothing like it", 0],
  ])("%j is in %i rows", (words, count) => {
    expect(rowsWithWords(rows, words)).toHaveLength(count);
  });
});

describe("what the API is asked for", () => {
  const now = Date.parse("2026-01-02T00:00:30Z");

  it("is what the address says, without what the page does itself", () => {
    expect(askedParameters({ state: "Failed", q: "x", uid: "u" }, now)).toEqual({ state: "Failed" });
  });

  it("is the same question within a minute, however a span counts back", () => {
    expect(askedParameters({ created: "24h" }, now)).toEqual({ createdAfter: "2026-01-01T00:00:00.000Z" });
    expect(askedParameters({ created: "24h" }, now + 20_000)).toEqual({ createdAfter: "2026-01-01T00:00:00.000Z" });
  });
});

function finding(kind: "LimitReached" | "PhantomRunning") {
  return { kind, message: kind, evidence: [] };
}

function ended(uid: string, reason: string) {
  const verdict = { state: "Failed", reason, final: true, basis: "both" } as const;
  return listedJob({ uid, findings: [finding("LimitReached")], verdict });
}

describe("what needs attention", () => {
  it("is in groups, what goes wrong now before what is over", () => {
    const jobs = [
      listedJob({ uid: "1", findings: [finding("LimitReached")] }),
      listedJob({ uid: "2", findings: [finding("PhantomRunning"), finding("LimitReached")] }),
    ];
    expect(concernGroups(jobs).map(({ kind, concerns }) => [kind, concerns.length])).toEqual([
      ["PhantomRunning", 1],
      ["LimitReached", 2],
    ]);
  });

  it("tells which limits ended Jobs, the most frequent first", () => {
    const [group] = concernGroups([ended("1", "A"), ended("2", "B"), ended("3", "B")]);
    expect(group?.reasons).toEqual([
      ["B", 2],
      ["A", 1],
    ]);
  });
});
