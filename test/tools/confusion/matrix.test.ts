import { describe, expect, it } from "vitest";
import { isRight, type Judged, matrixText } from "../../../tools/confusion/matrix.ts";

const judged = (truth: Judged["truth"], answer: Judged["answer"], job = "report"): Judged => ({
  recording: "nightly",
  job,
  truth,
  answer,
});
const PLATFORM = { responsible: "platform", retry: "same" } as const;
const OTHER = { responsible: "platform", retry: "other-node" } as const;
const PROGRAM = { responsible: "program", retry: "unknown" } as const;
const UNKNOWN = { responsible: "unknown", retry: "unknown" } as const;

describe("an answer about responsibility", () => {
  it.each<[string, Judged, boolean]>([
    ["is right if both are as they truly were", judged("program", PROGRAM), true],
    ["is right about the platform with the same node", judged("platform", PLATFORM), true],
    ["is right about the platform with another node", judged("platform", OTHER), true],
    ["is right without trouble if it names nothing", judged("none", undefined), true],
    ["is not right if it names something without trouble", judged("none", UNKNOWN), false],
    ["is not right if it names nothing", judged("person", undefined), false],
    ["is not right if only the retry is", judged("person", UNKNOWN), false],
    ["is not right if only the responsible one is", judged("final by policy", PROGRAM), false],
  ])("%s", (_, one, right) => {
    expect(isRight(one)).toBe(right);
  });
});

describe("the matrix", () => {
  const text = matrixText([
    judged("program", PROGRAM),
    judged("program", PLATFORM, "other"),
    judged("platform", OTHER),
    judged("person", UNKNOWN, "a"),
    judged("person", UNKNOWN, "b"),
    judged("none", undefined),
  ]);

  it("counts right, undecided and wrong answers", () => {
    expect(text).toContain("in 1 recordings: 6, of them without trouble: 1\n");
    expect(text).toContain("right: 3\n* answers `unknown` or `none` where the truth is known: 2\n");
    expect(text).toContain("* answers that are wrong: 1\n");
  });

  it("has what truly happened in rows, and the answers in columns, without empty ones", () => {
    expect(text).toContain(
      [
        "| truly \\ responsible | program | platform | person | unknown | none |",
        "| --- | --- | --- | --- | --- | --- |",
        "| program | 1 | 1 |  |  |  |",
        "| platform |  | 1 |  |  |  |",
        "| person |  |  |  | 2 |  |",
        "| none |  |  |  |  | 1 |",
      ].join("\n"),
    );
  });

  it("counts another node as the same", () => {
    expect(text).toContain("| same |  | 1 |  |  |");
  });

  it("lists each difference once for the Jobs that share it", () => {
    expect(text).toContain("| `nightly` | `other` | program | platform, same |");
    expect(text).toContain("| `nightly` | `a`, `b` | person | unknown, unknown |");
  });

  it("names four Jobs of a difference at most", () => {
    const many = Array.from({ length: 5 }, (_, at) => judged("person", undefined, `job-${at}`));
    expect(matrixText(many)).toContain("`job-0`, `job-1`, `job-2`, `job-3` (5 Jobs) | person | none |");
  });
});
