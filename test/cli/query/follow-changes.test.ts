import { describe, expect, it } from "vitest";
import { CHANGE_COLUMNS, changesQuery, firstChanges } from "../../../cli/query/follow-changes.ts";
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

describe("the first changes", () => {
  it("are on the first page that has any, behind empty pages", async () => {
    const item = { job: listedJob() };
    const pages = [
      { items: [], nextCursor: "c1", more: true },
      { items: [], nextCursor: "c2", more: true },
      { items: [item], nextCursor: "c3", more: true },
    ];
    const asked: string[] = [];
    const request = async (path: string): Promise<Response> => {
      asked.push(path);
      return Response.json(pages[asked.length - 1]);
    };
    const api = { request, name: "test", close: async () => {} };
    expect(await firstChanges(api, { ...OPTIONS, since: "2026-01-01T00:00:00Z" })).toEqual(pages[2]);
    expect(asked.map((path) => new URLSearchParams(path.split("?")[1]).get("cursor"))).toEqual([null, "c1", "c2"]);
  });

  it("are none on a last page that is empty", async () => {
    const page = { items: [], nextCursor: "c1", more: false };
    const api = { request: async () => Response.json(page), name: "test", close: async () => {} };
    expect(await firstChanges(api, OPTIONS)).toEqual(page);
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
