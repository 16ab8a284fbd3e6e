import { describe, expect, it } from "vitest";
import { CRITICAL_FOLDERS, readMutateOptions } from "../../../tools/mutate/options.ts";

describe("the options of the mutation run", () => {
  it("are a sample of 40 of each critical folder without arguments", () => {
    const folders = CRITICAL_FOLDERS;
    expect(readMutateOptions([])).toEqual({ folders, sample: 40, seed: 1, tests: 6, limitSeconds: 300 });
  });

  it("name folders, without a slash at the end, and files", () => {
    expect(readMutateOptions(["--folder", "src/a/", "--folder=src/b.ts"]).folders).toEqual(["src/a", "src/b.ts"]);
  });

  it("have numbers, and the file of earlier results", () => {
    const args = ["--sample", "5", "--seed", "7", "--tests", "2", "--limit", "9", "--results", "r.json"];
    expect(readMutateOptions(args)).toMatchObject({ sample: 5, seed: 7, tests: 2, limitSeconds: 9, results: "r.json" });
  });

  it.each(["0", "-1", "1.5", "x", "", "1e3"])("refuse --sample=%s", (text) => {
    expect(() => readMutateOptions([`--sample=${text}`])).toThrow(`Invalid --sample "${text}"`);
  });

  it("refuse an unknown option", () => {
    expect(() => readMutateOptions(["--all"])).toThrow("--all");
  });
});
