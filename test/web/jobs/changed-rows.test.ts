import { describe, expect, it } from "vitest";
import type { JobAnswer } from "../../../src/explain/answer-document.ts";
import type { JobFilter } from "../../../src/query/list/job-filter.ts";
import { withChanges } from "../../../web/jobs/changed-rows.ts";
import { jobListRow } from "../../../web/jobs/job-list-row.ts";
import { listedJob, second } from "../../support/story/listed-job.ts";

const running: JobAnswer["verdict"] = { state: "Running", final: false, basis: "both" };
const first = listedJob({ uid: "1", name: "first", createdAt: second(1) });
const newer = listedJob({ uid: "2", name: "second", createdAt: second(2), verdict: running });
const rows = [newer, first].map(jobListRow);
const third = listedJob({ uid: "3", name: "third", createdAt: second(3) });
const oldest = listedJob({ uid: "0", name: "oldest", createdAt: second(0) });
const all = { filter: {}, order: "newest", more: false } as const;
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

describe("the list of Jobs, when a Job changed", () => {
  const done = { ...newer, verdict: first.verdict };

  it("updates it in its position", () => {
    const shown = withChanges(rows, [done], all);
    expect(shown.map(({ name, state }) => [name, state])).toEqual([
      ["second", "Complete"],
      ["first", "Complete"],
    ]);
  });

  it.each([{ states: ["Running", "Pending"] }, { attention: true }, { waiting: true }] satisfies JobFilter[])(
    "removes it if it no longer matches %o",
    (filter) => {
      expect(names(withChanges(rows.slice(0, 1), [done], { ...all, filter }))).toEqual([]);
    },
  );

  it.each([
    ["newest", ["third", "second", "first"]],
    ["oldest", ["first", "second", "third"]],
  ] as const)("inserts a new one by its creation, %s first", (order, expected) => {
    const before = order === "oldest" ? rows.toReversed() : rows;
    expect(names(withChanges(before, [third], { ...all, order }))).toEqual(expected);
  });

  it("leaves a new one to the table if the order is another, and to the next request if rows are missing", () => {
    expect(names(withChanges(rows, [third], { ...all, order: "other" }))).toEqual(["second", "first", "third"]);
    expect(names(withChanges(rows, [third], { ...all, order: "other", more: true }))).toEqual(["second", "first"]);
  });

  it("leaves one to the page that is not loaded", () => {
    expect(names(withChanges(rows, [oldest, third], { ...all, more: true }))).toEqual(["third", "second", "first"]);
    expect(names(withChanges(rows, [oldest], all))).toEqual(["second", "first", "oldest"]);
  });

  it("ignores a change that is older than the row", () => {
    const earlier = { ...done, asOf: { time: second(-1) } };
    expect(withChanges(rows, [earlier], { ...all, filter: { states: ["Running"] } })).toEqual(rows);
  });

  it("keeps what only lists say: gaps, and silence until later facts", () => {
    const heardAt = second(5);
    const marked = rows.map((row) => ({ ...row, incomplete: true, staleSince: heardAt }));
    const later = { ...done, asOf: { time: second(7_200) } };
    const [same, next] = [withChanges(marked, [done], all)[0], withChanges(marked, [later], all)[0]];
    expect(same).toMatchObject({ state: "Complete", incomplete: true, staleSince: heardAt });
    expect(next).toMatchObject({ state: "Complete", incomplete: true, staleSince: undefined });
  });

  it("takes only the last change of each", () => {
    expect(withChanges(rows, [newer, done], all)[0]?.state).toBe("Complete");
  });

  it("keeps Jobs of one uid in two clusters apart", () => {
    const restored = { ...newer, cluster: "west" };
    expect(withChanges(rows, [restored], all)).toHaveLength(3);
  });

  it.each([
    { labels: [{ key: "a", operator: "exists" }] },
    { owner: "x" },
    { states: ["Failed"] },
  ] satisfies JobFilter[])("omits a new one that does not match %o", (filter) => {
    expect(names(withChanges([], [third], { ...all, filter }))).toEqual([]);
  });
});
