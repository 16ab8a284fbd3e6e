import { describe, expect, it } from "vitest";
import { parseCustomColumns } from "../../../cli/output/custom-columns.ts";
import { formatTable } from "../../../cli/output/table.ts";

const ROWS = [
  { name: "report", verdict: { state: "Failed" }, findings: [{ kind: "LimitReached" }, { kind: "StatusBehind" }] },
  { name: "nightly\u001b[2J", verdict: { state: "Complete" }, findings: [] },
];

function tableOf(spec: string): string {
  return formatTable(ROWS, parseCustomColumns(spec), { headers: true, wide: false, paint: (_, text) => text });
}

describe("custom columns", () => {
  it("are printed as kubectl prints them", () => {
    expect(tableOf("NAME:.name,STATE:{.verdict.state},FINDINGS:findings[*].kind").split("\n")).toEqual([
      "NAME          STATE      FINDINGS",
      "report        Failed     LimitReached,StatusBehind",
      "nightly\ufffd[2J   Complete   <none>",
      "",
    ]);
  });

  it("keep commas and colons in brackets and quotes", () => {
    expect(tableOf(`K:.findings[0,1].kind,F:.findings[?(@.kind=="a,b:c")].kind`).split("\n")[1]).toBe(
      "LimitReached,StatusBehind   <none>",
    );
  });

  it.each([
    ["NAME", /"NAME" is not a column/],
    [":.name", /is not a column/],
    ["NAME:", /is not a column/],
    ["NAME:.name,", /"" is not a column/],
    ["NAME:.name,STATE:.a[", /column STATE: expected an index.* at character 4/],
  ])("%s is an error that names the position", (spec, message) => {
    expect(() => parseCustomColumns(spec)).toThrow(message);
  });
});
