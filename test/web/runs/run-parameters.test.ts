import { describe, expect, it } from "vitest";
import { runParameters } from "../../../web/runs/run-parameters.ts";

const NOW = Date.parse("2026-01-02T00:00:30Z");

describe("the API's parameters for a list of runs", () => {
  it("are the filters of the address that runs have", () => {
    expect(runParameters({ kind: "jobset", state: "Failed", owner: "x", series: "" }, NOW)).toEqual({
      kind: "jobset",
      state: "Failed",
    });
  });

  it("have the beginning of the chosen span", () => {
    expect(runParameters({ created: "1h" }, NOW)).toEqual({ createdAfter: "2026-01-01T22:59:59.999Z" });
  });
});
