import { describe, expect, it } from "vitest";
import { lineOf, MAX_HEADLINE_WORDS } from "../../../src/explain/headline/line-of.ts";

const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

describe("a line", () => {
  it("is the state and its clauses, as a sentence", () => {
    expect(lineOf("failed", [{ full: "exit code 3" }, { full: "2 Pods waited" }])).toBe(
      "Failed; exit code 3; 2 Pods waited.",
    );
  });

  it("has the short form of a clause that is too long, and leaves out what does not fit", () => {
    const clauses = [{ full: words(40), brief: "brief" }, { full: words(30) }, { full: "last" }];
    const line = lineOf("Failed", clauses);
    expect(line).toBe("Failed; brief; last.");
    expect(line.split(" ").length).toBeLessThanOrEqual(MAX_HEADLINE_WORDS);
  });

  it("leaves out what only follows a clause that is left out", () => {
    expect(lineOf("Failed", [{ full: "first" }, { full: words(30) }, { full: "counted", follows: true }])).toBe(
      "Failed; first.",
    );
  });
});
