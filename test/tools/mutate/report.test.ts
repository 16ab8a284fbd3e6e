import { describe, expect, it } from "vitest";
import { formatReport, type MutantResult, scoreOf } from "../../../tools/mutate/report.ts";

function result(outcome: MutantResult["outcome"], line = 1): MutantResult {
  const change = { operator: "number", before: "1", after: "2", code: "f(1);", occurrence: 1 };
  return { mutant: { file: "src/a.ts", line, column: 3, ...change }, outcome };
}

describe("the score of a folder", () => {
  it.each([
    [["killed", "timed out", "survived", "untested"], 0.5],
    [["killed", "equivalent", "equivalent"], 1],
    [["survived", "equivalent"], 0],
    [[], 1],
  ] as const)("of %j is %d", (outcomes, score) => {
    expect(scoreOf(outcomes.map((outcome) => result(outcome)))).toBe(score);
  });
});

describe("the report of a mutation run", () => {
  it("has a line per folder, rounded down, and the survivors", () => {
    const results = [result("killed"), result("killed"), result("survived", 7), result("equivalent")];
    expect(formatReport([{ folder: "src", mutants: 20, results }])).toBe(
      [
        "| folder | mutants | sample | killed | timed out | survived | equivalent | score |",
        "|---|---|---|---|---|---|---|---|",
        "| src | 20 | 4 | 2 | 0 | 1 | 1 | 66.6 % |",
        "",
        "survived at src/a.ts:7:3",
        "  src/a.ts: f(1);: 1 -> 2",
        "",
      ].join("\n"),
    );
  });
});
