import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { batchModules, exportedNames } from "../../../tools/mutate/batch-modules.ts";

const sources: Readonly<Record<string, string>> = {
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export function b() {}\n",
  "src/c.ts": "const c = 1;\nexport { c };\n",
  "test/a.test.ts": "the test\n",
};
const read = (path: string): string => sources[path] ?? "";
const root = "/project";
const changed = (file: string, source: string) => ({ file, source });

describe("the modules of a run of several mutants", () => {
  it("are the tests, and each changed file with its original and its changes", () => {
    const mutants = [changed("src/a.ts", "one"), changed("src/b.ts", "two"), changed("src/a.ts", "three")];
    const tests = [{ test: "test/a.test.ts", mutants: [0, 2] }];
    const modules = batchModules({ tests, mutants }, { root, read });
    const [test, a, b] = ["test/a.test.ts", "src/a.ts", "src/b.ts"].map((path) => resolve(root, path));
    expect(modules?.get(`${test}?original`)).toBe("the test\n");
    expect(modules?.get(`${a}?original`)).toBe(sources["src/a.ts"]);
    expect([0, 1, 2].map((place) => modules?.get(`${a}?mutant=${place}`))).toEqual(["one", undefined, "three"]);
    expect([0, 1, 2].map((place) => modules?.get(`${b}?mutant=${place}`))).toEqual([undefined, "two", undefined]);
    expect(modules?.get(String(b))).toContain("export const { b } =");
    expect(modules?.get(String(test))).toContain('{"original":-1,"mutant 0":0,"mutant 2":2}');
  });

  it("do not exist for a file whose exports are not declarations", () => {
    const tests = [{ test: "test/a.test.ts", mutants: [0] }];
    expect(batchModules({ tests, mutants: [changed("src/c.ts", "one")] }, { root, read })).toBeUndefined();
  });
});

describe("the exported names of a module", () => {
  it.each<[string, readonly string[] | undefined]>([
    ["export const one = 1;\nexport let two = 2;\n", ["one", "two"]],
    [
      "export function one() {}\nexport async function two() {}\nexport function* three() {}\n",
      ["one", "two", "three"],
    ],
    ["export class One {}\nexport abstract class Two {}\n", ["One", "Two"]],
    ["export type One = 1;\nexport interface Two {}\nconst three = 3;\n", []],
    ["export * from './one.ts';\n", undefined],
    ["export default 1;\n", undefined],
    ["export const { one, two } = three;\n", undefined],
  ])("of %j are %j", (source, names) => {
    expect(exportedNames(source)).toEqual(names);
  });
});
