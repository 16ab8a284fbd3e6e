import { describe, expect, it } from "vitest";
import { missingCells, noteMissingCells } from "../../../web/api/missing-cells.ts";

const lacking = (cells: string) => new Headers({ "outlive-unavailable-cells": cells });

describe("the cells that the page lacks", () => {
  it("are those that the last answer to each question lacked", () => {
    noteMissingCells("jobs", lacking("us, ap"));
    noteMissingCells("summary", lacking("us"));
    noteMissingCells("clusters/a", new Headers());
    expect(missingCells.value).toEqual(["ap", "us"]);
    noteMissingCells("jobs", new Headers());
    expect(missingCells.value).toEqual(["us"]);
    noteMissingCells("summary", new Headers());
    expect(missingCells.value).toEqual([]);
  });
});
