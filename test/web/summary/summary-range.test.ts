import { describe, expect, it } from "vitest";
import { createdWithin, jobsIn, rangeOf, summaryQuery, timeBounds } from "../../../web/summary/summary-range.ts";

const NOW = Date.parse("2026-11-21T12:30:00Z");

function shown(parameters: Readonly<Record<string, string>>) {
  const range = rangeOf(parameters, NOW);
  return range && [new Date(range.from).toISOString(), new Date(range.to).toISOString(), range.unit];
}

describe("the range of a summary", () => {
  it.each([
    ["seven days and today if none is named", {}, ["2026-11-14T00:00:00.000Z", "2026-11-22T00:00:00.000Z", "day"]],
    ["whole hours", { created: "24h" }, ["2026-11-20T12:00:00.000Z", "2026-11-21T13:00:00.000Z", "hour"]],
    ["whole days", { created: "30d" }, ["2026-10-22T00:00:00.000Z", "2026-11-22T00:00:00.000Z", "day"]],
    [
      "seven days for a name of another view",
      { created: "6h" },
      ["2026-11-14T00:00:00.000Z", "2026-11-22T00:00:00.000Z", "day"],
    ],
    [
      "the hours of a link, whose bounds are exclusive",
      { createdAfter: "2026-11-20T07:59:59.999Z", createdBefore: "2026-11-20T09:30:00Z" },
      ["2026-11-20T08:00:00.000Z", "2026-11-20T10:00:00.000Z", "hour"],
    ],
    [
      "the days of a link, up to now",
      { createdAfter: "2026-11-01T05:00:00Z" },
      ["2026-11-01T00:00:00.000Z", "2026-11-22T00:00:00.000Z", "day"],
    ],
  ])("is %s", (_, parameters, expected) => {
    expect(shown(parameters)).toEqual(expected);
  });

  it.each([
    ["any time is asked for", { created: "any" }],
    ["it has no beginning", { createdBefore: "2026-11-20T09:30:00Z" }],
    ["it ends before it begins", { createdAfter: "2026-11-20T09:00:00Z", createdBefore: "2026-11-20T08:00:00Z" }],
    ["its bounds are no dates", { createdAfter: "-271821-04-20T00:00:00Z", createdBefore: "-271821-04-21T00:00:00Z" }],
    ["it has more days than a picture", { createdAfter: "2020-01-01T00:00:00Z" }],
  ])("has no pictures if %s", (_, parameters) => {
    expect(shown(parameters)).toBeUndefined();
  });
});

describe("the bounds of creation", () => {
  const from = Date.parse("2026-11-21T00:00:00Z");

  it("are exclusive", () => {
    expect(createdWithin({ from, to: from + 3_600_000 }, NOW)).toEqual({
      createdAfter: "2026-11-20T23:59:59.999Z",
      createdBefore: "2026-11-21T01:00:00.000Z",
    });
  });

  it("have no end in the future, which the API would count Job by Job", () => {
    expect(createdWithin({ from, to: NOW + 1 }, NOW)).toEqual({ createdAfter: "2026-11-20T23:59:59.999Z" });
  });
});

describe("what a summary asks for", () => {
  it("has the filters of the address, without times and what is open", () => {
    const { filters, jobs } = summaryQuery(
      { cluster: "east", owner: "CronJob/backup", namespace: "", by: "owner", nodes: "shown", created: "24h" },
      NOW,
    );
    expect(filters).toEqual({ cluster: "east", owner: "CronJob/backup" });
    expect(jobs).toEqual({ ...filters, createdAfter: "2026-11-20T11:59:59.999Z" });
  });

  it("has the bounds of the address where there are no pictures", () => {
    const query = summaryQuery({ createdAfter: "2020-01-01T00:00:00Z" }, NOW);
    expect([query.range, query.jobs]).toEqual([undefined, { createdAfter: "2020-01-01T00:00:00Z" }]);
    expect(timeBounds(query)).toEqual({ since: "2020-01-01T00:00:00Z" });
  });

  it("asks about nodes and usage with bounds that include the first instant", () => {
    const given = { createdAfter: "2026-11-20T07:59:59.999Z", createdBefore: "2026-11-20T09:30:00Z" };
    expect(timeBounds(summaryQuery(given, NOW))).toEqual({
      since: "2026-11-20T08:00:00.000Z",
      until: "2026-11-20T10:00:00.000Z",
    });
  });

  it("lists the Jobs of one hour with exclusive bounds", () => {
    const at = Date.parse("2026-11-20T08:00:00Z");
    expect(jobsIn({ filters: { cluster: "east" } }, { at, end: at + 3_600_000 })).toEqual({
      cluster: "east",
      createdAfter: "2026-11-20T07:59:59.999Z",
      createdBefore: "2026-11-20T09:00:00.000Z",
    });
  });
});
