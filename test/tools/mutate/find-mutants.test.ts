import { describe, expect, it } from "vitest";
import { findMutants, mutantKey } from "../../../tools/mutate/find-mutants.ts";

describe("the mutants of a file", () => {
  it("name the place, the change and the line", () => {
    const [mutant] = findMutants("src/a.ts", "export const a = 1;\nexport const b =  2;\n").slice(1);
    expect(mutant).toMatchObject({
      file: "src/a.ts",
      line: 2,
      column: 19,
      operator: "number",
      before: "2",
      after: "3",
    });
    expect(mutant?.source).toBe("export const a = 1;\nexport const b =  3;\n");
    expect(mutant && mutantKey(mutant)).toBe("src/a.ts: export const b =  2;: 2 -> 3");
  });

  it("have different keys where equal lines change equally", () => {
    const keys = findMutants("src/a.ts", "f();\nf();\n").map(mutantKey);
    expect(keys).toEqual(["src/a.ts: f();: f(); -> ;", "src/a.ts: f();: f(); -> ; (2)"]);
  });

  it("keep their keys when lines are added above", () => {
    const code = "export const a = b > 1;\n";
    expect(findMutants("src/a.ts", `\n\n${code}`).map(mutantKey)).toEqual(findMutants("src/a.ts", code).map(mutantKey));
  });

  it.each([
    ["imports", 'import { a } from "./a.ts";'],
    ["exports of other files", 'export { a } from "./a.ts";'],
    ["types", 'type A = "a" | 1; interface B { readonly b: true }'],
    ["the text of errors", 'const x = new TypeError("a");'],
    ["keys", 'const { "a": x } = y;'],
    ["the names of error classes", 'class A extends Error { override readonly name = "A"; }'],
  ])("do not include %s", (_, code) => {
    expect(findMutants("src/a.ts", code)).toEqual([]);
  });

  it("include values behind a cast, and computed keys", () => {
    expect(findMutants("src/a.ts", "const x = 1 as A;").map(({ source }) => source)).toEqual(["const x = 2 as A;"]);
    expect(findMutants("src/a.ts", 'x(y["a"]);').map(({ source }) => source)).toEqual([";", 'x(y[""]);']);
  });

  it("cannot be found in source that is not valid", () => {
    expect(() => findMutants("src/a.ts", "const = ;")).toThrow("Cannot parse the source");
  });
});
