import { describe, expect, it } from "vitest";
import { missingTests, type TestExemption, testOf } from "../../../tools/limits/missing-tests.ts";

const LOGIC = `export function f() {\n${"  if (a) b();\n".repeat(5)}}`;

function problemsOf(paths: readonly string[], exemptions: readonly TestExemption[] = []): readonly string[] {
  return missingTests({ paths, read: () => LOGIC }, exemptions).map(({ path }) => path);
}

describe("the test of a file", () => {
  it.each([
    ["src/job/model/fact.ts", "test/job/model/fact.test.ts"],
    ["lib/query.ts", "test/lib/query.test.ts"],
    ["web/job/section.tsx", "test/web/job/section.test.ts"],
  ])("%s is %s", (path, test) => {
    expect(testOf(path)).toBe(test);
  });
});

describe("a file with logic", () => {
  it("is reported if it has no test of the same name", () => {
    expect(problemsOf(["src/job/fact.ts", "test/job/other.test.ts"])).toEqual(["src/job/fact.ts"]);
  });

  it("is not reported if it has one, or if it is test code itself", () => {
    expect(problemsOf(["src/job/fact.ts", "test/job/fact.test.ts", "test/support/story.ts"])).toEqual([]);
  });

  it.each([
    ["its name", "src/job/fact.ts", []],
    ["its folder", "src/job/", []],
    ["the files of its folder", "src/job/*.ts", []],
    ["the files below the folder above", "src/**.ts", []],
    ["the files of the folder above, which does not include it", "src/*.ts", ["src/job/fact.ts", "src/*.ts"]],
  ])("may be exempted by %s", (_, files, reported) => {
    expect(problemsOf(["src/job/fact.ts"], [{ files, tests: [], reason: "" }])).toEqual(reported);
  });
});

describe("an exemption", () => {
  it("of several files is reported for each that no longer needs it", () => {
    const exemption = { files: ["src/job/fact.ts", "src/log/", "src/query/a.ts"], tests: [], reason: "" };
    const paths = ["src/job/fact.ts", "test/job/fact.test.ts", "src/log/read-log.ts"];
    expect(problemsOf(paths, [exemption])).toEqual(["src/job/fact.ts", "src/query/a.ts"]);
  });

  it("is reported if no file needs it any longer", () => {
    expect(
      problemsOf(["src/job/fact.ts", "test/job/fact.test.ts"], [{ files: "src/job/", tests: [], reason: "" }]),
    ).toEqual(["src/job/"]);
  });

  it("is reported if it names a test that does not exist", () => {
    const exemption = { files: "src/job/", tests: ["test/job/laws.test.ts"], reason: "" };
    expect(problemsOf(["src/job/fact.ts"], [exemption])).toEqual(["src/job/"]);
    expect(problemsOf(["src/job/fact.ts", "test/job/laws.test.ts"], [exemption])).toEqual([]);
  });
});
