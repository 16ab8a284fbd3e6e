import { describe, expect, it } from "vitest";
import { INDEXED_IDS, isAddedId, searchableIds } from "../../src/parents/external-ids.ts";

describe("the ids by which a run is found", () => {
  it("are the first of each built-in kind", () => {
    expect(INDEXED_IDS).toContain("dagster/run-id");
    expect(INDEXED_IDS).not.toContain("dagster/job");
  });

  it("are those of built-in kinds, then the first of an added kind", () => {
    const ids = { "acme/trial": "1", "acme/team": "ml", "dagster/job": "load", "dagster/run-id": "5f1a" };
    expect(searchableIds(ids)).toEqual(["dagster/run-id", "acme/trial"]);
    expect(searchableIds({ "dagster/job": "load" })).toEqual([]);
  });
});

describe("an id of an added kind", () => {
  it.each([
    ["acme/experiment-id", true],
    ["acme.example.com/id", true],
    ["dagster/run_id", false],
    ["airflow/note", false],
    ["experiment", false],
    ["Acme/id", false],
    ["acme/", false],
    ["12", false],
  ])("may be %s: %s", (id, is) => {
    expect(isAddedId(id)).toBe(is);
  });
});
