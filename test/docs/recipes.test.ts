import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FINDING_KINDS } from "../../src/explain/findings/finding-kinds.ts";
import { RECEIVER_KINDS } from "../../src/notify/receivers/receiver-kinds.ts";
import { WATCHED_STATUSES } from "../../src/parents/status/statuses.ts";

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const CONTRIBUTING = text("CONTRIBUTING.md");
const PRODUCT = execFileSync("git", ["ls-files", "src", "cli", "functions", "lib", "web"], {
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

/** The files of a recipe that do not name what it adds. */
function missing(files: readonly string[], words: RegExp): readonly string[] {
  return files.filter((path) => !words.test(text(path)));
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
    expect(missing(files, new RegExp(`\\b${kind}\\b`))).toEqual([]);
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

describe("the recipe of a receiver", () => {
  const recipe = filesOf("A receiver of notifications");

  it.each(Object.keys(RECEIVER_KINDS))("lists five files that all name %s", (kind) => {
    expect(recipe).toHaveLength(5);
    const files = recipe.map((path) => path.replace("<kind>", kind));
    expect(missing(files, new RegExp(kind, "i"))).toEqual([]);
  });
});

describe("the recipe of a field of a Job's spec", () => {
  const recipe = filesOf("A field of a Job's spec");

  it.each(["maxFailedIndexes", "backoffLimitPerIndex", "podReplacementPolicy", "managedBy"])(
    "lists six files that all name %s",
    (field) => {
      expect(recipe).toHaveLength(6);
      expect(missing(recipe, new RegExp(`\\b${field}\\b`))).toEqual([]);
    },
  );
});

describe("the recipe of a kind of parent", () => {
  const recipe = filesOf("A kind of parent");

  it.each(WATCHED_STATUSES)("lists at most six files that all name $kind", ({ kind, resource }) => {
    expect(recipe.length).toBeGreaterThan(2);
    expect(recipe.length).toBeLessThanOrEqual(6);
    const files = recipe.map((path) => path.replaceAll("<kind>", kebab(kind)));
    const [plural = ""] = resource.split(".");
    expect(missing(files, new RegExp(`${kind.replace(/(?<!^)[A-Z]/g, "_?$&")}|\\b${plural}\\b`, "i"))).toEqual([]);
  });

  it("leaves out no file of the watch and of segments that names the kinds", () => {
    const own = /^src\/(kubernetes|segment)\//;
    const names = new RegExp(`"(${WATCHED_STATUSES.map(({ kind }) => kind).join("|")})"`);
    const naming = PRODUCT.filter((path) => own.test(path) && names.test(text(path)));
    expect(naming).toEqual(["src/kubernetes/translate/translate-status.ts"]);
  });
});
