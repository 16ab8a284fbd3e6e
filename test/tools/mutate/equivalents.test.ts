import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { equivalenceOf, equivalentMutants } from "../../../tools/mutate/equivalents.ts";
import { findMutants, mutantKey } from "../../../tools/mutate/find-mutants.ts";

describe("the list of equivalent mutants", () => {
  it("has only mutants that the sources have today, each once", () => {
    const files = new Set(equivalentMutants.map(({ key }) => key.split(": ")[0] ?? ""));
    const sources = [...files]
      .filter((file) => existsSync(file))
      .map((file) => [file, readFileSync(file, "utf8")] as const);
    const present = new Set(sources.flatMap(([file, source]) => findMutants(file, source)).map(mutantKey));
    expect(equivalentMutants.map(({ key }) => key).filter((key) => !present.has(key))).toEqual([]);
    expect(new Set(equivalentMutants.map(({ key }) => key)).size).toBe(equivalentMutants.length);
  });

  it("gives a reason for each, and for no other", () => {
    const [mutant] = findMutants("src/none.ts", "f(1);");
    expect(mutant && equivalenceOf(mutant)).toBeUndefined();
    expect(equivalentMutants.filter(({ reason }) => !/^[A-Z].*\.$/.test(reason))).toEqual([]);
  });
});
