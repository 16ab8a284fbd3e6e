import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EarlierResults } from "../../../tools/mutate/earlier-results.ts";
import { findMutants, type Mutant } from "../../../tools/mutate/find-mutants.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "outlive-mutants-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function mutantOf(source: string): Mutant {
  const [mutant] = findMutants("src/a.ts", source);
  if (mutant === undefined) throw new Error("no mutant");
  return mutant;
}

describe("the results of an earlier run", () => {
  it("return what a test noticed, in another process too", () => {
    const path = join(folder, "results.json");
    const results = new EarlierResults(path);
    results.add(mutantOf("f(1);"), "killed");
    results.add(mutantOf("g(1);"), "timed out");
    expect(new EarlierResults(path).noticed(mutantOf("f(1);"))).toBe("killed");
    expect(new EarlierResults(path).noticed(mutantOf("\ng(1);"))).toBe("timed out");
  });

  it.each(["survived", "untested"] as const)("try a mutant again that %s", (outcome) => {
    const results = new EarlierResults();
    results.add(mutantOf("f(1);"), outcome);
    expect(results.noticed(mutantOf("f(1);"))).toBeUndefined();
  });

  it("know nothing of other mutants", () => {
    expect(new EarlierResults(join(folder, "none.json")).noticed(mutantOf("f(1);"))).toBeUndefined();
  });
});
