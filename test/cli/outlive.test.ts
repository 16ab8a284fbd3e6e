import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

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
