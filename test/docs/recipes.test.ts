import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FINDING_KINDS } from "../../src/explain/findings/finding-kinds.ts";

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const CONTRIBUTING = text("CONTRIBUTING.md");
const PRODUCT = execFileSync("git", ["ls-files", "src", "cli", "exporter", "functions", "lib", "web"], {
  cwd: new URL("../..", import.meta.url),
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /\.tsx?$/.test(path) && existsSync(new URL(`../../${path}`, import.meta.url)));

/** The files of a recipe: the first path of each number. */
function filesOf(recipe: string): readonly string[] {
  const section = CONTRIBUTING.split(`### ${recipe}\n`)[1]?.split("\n### ")[0] ?? "";
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
}

function kebab(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
}

describe("the recipe of a finding", () => {
  const recipe = filesOf("A finding");

  it("has at most six files", () => {
    expect(recipe.length).toBeGreaterThan(3);
    expect(recipe.length).toBeLessThanOrEqual(6);
  });

  it.each(FINDING_KINDS)("lists files that all name %s", (kind) => {
    const files = recipe.map((path) => path.replace("<kind>", kebab(kind)));
    expect(files.filter((path) => !new RegExp(`\\b${kind}\\b`).test(text(path)))).toEqual([]);
  });

  it("leaves out no file that lists the kinds", () => {
    /** Bytes that never change. */
    const frozen = "src/projection/job-state/summary-dictionary-v1.ts";
    const lists = PRODUCT.filter((path) => {
      const words = new Set(text(path).match(/\b[A-Z]\w+\b/g));
      return FINDING_KINDS.filter((kind) => words.has(kind)).length > 2;
    });
    expect(lists.filter((path) => path !== frozen).sort()).toEqual(
      recipe.filter((path) => lists.includes(path)).sort(),
    );
  });
});
