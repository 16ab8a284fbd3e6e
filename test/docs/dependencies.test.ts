import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** The packages in the first column of the tables. */
function reviewed(): readonly string[] {
  const rows = read("docs/trust/dependencies.md").matchAll(/^\| (?<packages>`[^|]+) \|/gm);
  return [...rows].flatMap(({ groups }) =>
    [...(groups?.["packages"] ?? "").matchAll(/`([^`]+)`/g)].map(([, n = ""]) => n),
  );
}

describe("docs/trust/dependencies.md", () => {
  it("has a review of each package that package.json names, and of no other", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Manifest;
    const named = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    expect([...reviewed()].sort()).toEqual(named.sort());
  });
});

describe("package.json", () => {
  it("names each version exactly", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Manifest;
    const versions = Object.entries({ ...dependencies, ...devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});
