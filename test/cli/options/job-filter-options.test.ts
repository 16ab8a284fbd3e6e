import { describe, expect, it } from "vitest";
import { jobFilterQuery, withSince } from "../../../cli/options/job-filter-options.ts";

describe("--since of a list of Jobs", () => {
  it("is a bound of creation", () => {
    expect(jobFilterQuery(withSince({ since: "2026-11-23T08:00:00Z" }))).toMatchObject({
      createdAfter: "2026-11-23T08:00:00Z",
    });
  });

  it("is not passed on, because changes begin there", () => {
    expect(withSince({ since: "2026-11-23T08:00:00Z", name: "report" })).toEqual({
      name: "report",
      createdAfter: "2026-11-23T08:00:00Z",
    });
  });
});
