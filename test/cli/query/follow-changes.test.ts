import { describe, expect, it } from "vitest";
import { CHANGE_COLUMNS, changesQuery } from "../../../cli/query/follow-changes.ts";
import { listedJob } from "../../support/story/listed-job.ts";

const OPTIONS = { output: "table", headers: true, color: "never", limit: 500 } as const;

describe("the query for changes", () => {
  it("begins at --since", () => {
    const query = changesQuery({ ...OPTIONS, since: "2026-01-01T00:00:00Z", state: ["Failed", "Deleted"] });
    expect(query).toMatchObject({ since: "2026-01-01T00:00:00Z", state: "Failed,Deleted", limit: 500 });
  });

  it("continues at a cursor instead of --since", () => {
    const query = changesQuery({ ...OPTIONS, since: "2026-01-01T00:00:00Z", cursor: "c1" });
    expect(query["since"]).toBeUndefined();
    expect(query["cursor"]).toBe("c1");
  });
});

const cellsOf = (change: Parameters<(typeof CHANGE_COLUMNS)[number]["cell"]>[0]) =>
  Object.fromEntries(CHANGE_COLUMNS.map(({ header, cell }) => [header, cell(change)]));

describe("the columns of a change", () => {
  it("have the state before and after", () => {
    expect(cellsOf({ previous: "Running", job: listedJob() })).toMatchObject({ BEFORE: "Running", STATUS: "Complete" });
  });

  it("have a dash instead of an earlier state for a new Job", () => {
    expect(cellsOf({ job: listedJob() })).toMatchObject({ BEFORE: "-", FINDINGS: "-" });
  });

  it("have the reason, and the deletion of a Job in another state", () => {
    const verdict = { state: "Failed", final: true, basis: "both", reason: "BackoffLimitExceeded" } as const;
    const job = listedJob({ verdict, deletedAt: "2026-01-01T00:01:00Z" });
    expect(cellsOf({ previous: "Failed", job })).toMatchObject({ STATUS: "Failed (BackoffLimitExceeded), deleted" });
  });
});
