import { describe, expect, it } from "vitest";
import { skipsIn, skipSummary } from "./skip-summary.ts";

const helm = { dependency: "helm", untested: "the chart", reason: "not installed" };
const java = { dependency: "Java 17", untested: "tables", reason: "not installed" };

describe("the console of a process that runs tests", () => {
  it("reports one skip per marked line", () => {
    const line = `SKIPPED ${JSON.stringify(helm)}`;
    expect(skipsIn(`before\n${line}\nafter SKIPPED {}\n`)).toEqual([helm]);
  });
});

describe("the summary of a run", () => {
  it("is empty when nothing was skipped", () => {
    expect(skipSummary([])).toEqual([]);
  });

  it("has one row per missing dependency, in alphabetical order", () => {
    expect(skipSummary([helm, java, { ...helm, untested: "its values" }, helm])).toEqual([
      "MISSING  WHY            NOT TESTED",
      "Java 17  not installed  tables",
      "helm     not installed  the chart; its values",
    ]);
  });
});
