import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { scratchFolder } from "../support/running/run-outlive.ts";

const launcher = fileURLToPath(new URL("../../cli/outlive.js", import.meta.url));
const outlive = (...args: string[]) => spawnSync(process.execPath, [launcher, ...args], { encoding: "utf8", env: {} });

describe("the outlive command", () => {
  it("lists its commands on standard output only", () => {
    const { status, stdout, stderr } = outlive("--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("Usage: outlive");
  });

  it("exits with status 2 for an unknown command", () => {
    const { status, stderr } = outlive("frobnicate");
    expect(status).toBe(2);
    expect(stderr).toContain("frobnicate");
  });

  it.each([
    [["help", "clusters"], "outlive clusters register prod-eu"],
    [["help", "clusters", "register"], "Usage: outlive clusters register"],
    [["help", "wait"], "default: 5m"],
    [["help", "help"], "Usage: outlive"],
    [["help", "completion"], "outlive completion bash"],
  ])("explains %j", (args, explanation) => {
    const { status, stdout, stderr } = outlive(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(explanation);
  });

  it("has no help for an unknown command", () => {
    expect(outlive("help", "frobnicate")).toMatchObject({ status: 2, stdout: "" });
  });

  it.each(["bash", "zsh", "fish", "powershell"])("prints a completion script for %s", (shell) => {
    const { status, stdout } = outlive("completion", shell);
    expect(status).toBe(0);
    expect(stdout).toContain("outlive");
  });
});

describe("the outlive command under a Node that is too old", () => {
  const folder = scratchFolder();
  afterAll(() => folder.remove());

  /** Runs a copy of the launcher in a folder without Node 24. */
  function outliveBeside(program: string) {
    const copy = join(folder.path, `beside-${program}`, "outlive.js");
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(launcher, copy);
    writeFileSync(join(dirname(copy), program), "");
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })";
    const args = ["--import", `data:text/javascript,${encodeURIComponent(old)}`, copy, "jobs"];
    return spawnSync(process.execPath, args, { encoding: "utf8", env: {} });
  }

  it("says in a checkout that npm ci installs the right one", () => {
    const { status, stderr } = outliveBeside("main.ts");
    expect(status).toBe(2);
    expect(stderr).toContain('Install Node 24, or run "npm ci" in the checkout of Outlive, which installs one.');
  });

  it("says in an installed package, which has no checkout, where to get one", () => {
    const { status, stderr } = outliveBeside("main.js");
    expect(status).toBe(2);
    expect(stderr).toContain("Install Node 24 from https://nodejs.org or with a version manager");
    expect(stderr).not.toContain("npm ci");
  });
});
