import { describe, expect, it } from "vitest";
import { importGraph, relatedTests } from "../../../tools/mutate/related-tests.ts";

const graph = importGraph(
  new Map([
    ["src/a/fact.ts", ""],
    ["src/a/fold.ts", 'import type { Fact } from "./fact.ts";'],
    ["src/b/query.ts", 'const fold = await import("../a/fold.ts");'],
    ["test/a/fact.test.ts", 'import { fact } from "../../src/a/fact.ts";'],
    ["test/a/fold.test.ts", 'import {\n  fold,\n} from "../../src/a/fold.ts";'],
    ["test/a/laws.test.ts", 'import { fold } from "../../src/a/fold.ts";'],
    ["test/b/query.test.ts", 'import "../../src/b/query.ts";'],
    ["test/b/other.test.ts", 'import "../support/b.ts";'],
  ]),
);
const options = { exemptions: [], specifications: [], limit: 9, isExcluded: () => false };

describe("an import graph", () => {
  it("counts the imports between a test and a file", () => {
    expect(graph.testsOf("src/a/fold.ts")).toEqual(
      new Map([
        ["test/a/fold.test.ts", 1],
        ["test/a/laws.test.ts", 1],
        ["test/b/query.test.ts", 2],
      ]),
    );
  });

  it("ends in a circle of imports", () => {
    const circle = importGraph(
      new Map([
        ["src/a.ts", 'import "./b.ts";'],
        ["src/b.ts", 'import "./a.ts";'],
      ]),
    );
    expect(circle.testsOf("src/a.ts")).toEqual(new Map());
  });
});

describe("the tests of a file", () => {
  it("begin with the test of the same name, then the nearest", () => {
    expect(relatedTests("src/a/fact.ts", graph, options)).toEqual([
      "test/a/fact.test.ts",
      "test/a/fold.test.ts",
      "test/a/laws.test.ts",
      "test/b/query.test.ts",
    ]);
  });

  it("have those of the same folder before others of the same distance", () => {
    const tests = relatedTests("src/b/query.ts", graph, options);
    expect(tests).toEqual(["test/b/query.test.ts"]);
    const both = importGraph(
      new Map([
        ["test/a/x.test.ts", 'import "../../src/b/c.ts";'],
        ["test/b/y.test.ts", 'import "../../src/b/c.ts";'],
      ]),
    );
    expect(relatedTests("src/b/c.ts", both, options)).toEqual(["test/b/y.test.ts", "test/a/x.test.ts"]);
  });

  it.each(["src/a/fold.ts", "src/a/"])("have the tests that the exemption of %s names before the nearest", (files) => {
    const exemptions = [{ files, tests: ["test/b/query.test.ts", "test/a/gone.test.ts"], reason: "" }];
    expect(relatedTests("src/a/fold.ts", graph, { ...options, exemptions, limit: 2 })).toEqual([
      "test/a/fold.test.ts",
      "test/b/query.test.ts",
    ]);
  });

  it("do not include excluded ones", () => {
    const inFolderB = { ...options, isExcluded: (test: string) => test.startsWith("test/a/") };
    expect(relatedTests("src/a/fact.ts", graph, inFolderB)).toEqual(["test/b/query.test.ts"]);
  });

  it("end with those that specify the whole folder, if they reach the file", () => {
    const specifications = [
      { files: "src/a/", tests: ["test/b/query.test.ts", "test/b/other.test.ts"] },
      { files: "src/b/", tests: ["test/a/laws.test.ts"] },
    ];
    expect(relatedTests("src/a/fold.ts", graph, { ...options, limit: 1, specifications })).toEqual([
      "test/a/fold.test.ts",
      "test/b/query.test.ts",
    ]);
  });
});
