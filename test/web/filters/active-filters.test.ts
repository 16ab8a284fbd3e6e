import { describe, expect, it } from "vitest";
import { activeFilters, rowFilters } from "../../../web/filters/active-filters.ts";

describe("the filters of an address", () => {
  const labels = { state: "State", q: "Search" };

  it("are those of the bar, and those that only a link has set", () => {
    const parameters = { state: "Failed", createdBefore: "2026-01-01T00:00:00Z", q: "", sort: "name" };
    expect(activeFilters(parameters, labels)).toEqual({
      inBar: [{ name: "state", label: "State", value: "Failed" }],
      others: [{ name: "createdBefore", label: "createdBefore", value: "2026-01-01T00:00:00Z" }],
    });
  });

  it("do not have what chooses no rows", () => {
    expect(rowFilters({ columns: "age", sort: "name", view: "Mine", nodes: "shown", cluster: "east" })).toEqual({
      cluster: "east",
    });
  });
});
