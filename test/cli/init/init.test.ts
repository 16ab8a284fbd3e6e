import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runOutlive, scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function init(...args: readonly string[]) {
  return runOutlive(["init", ...args], { cwd: scratch.path });
}

describe("outlive init without a terminal", () => {
  it("writes the files that it names, and prints three commands", async () => {
    const { status, stdout, stderr } = await init("cluster", "--image", "registry.example.org/outlive", "--to", "one");
    expect(status).toBe(0);
    expect(stderr).toBe("Wrote one/values.yaml\nNext:\n");
    const [install, ...others] = stdout.trimEnd().split("\n");
    expect(install).toMatch(/^helm install outlive \S+\/deploy\/charts\/outlive -n outlive .* -f one\/values\.yaml$/);
    expect(others).toHaveLength(2);
    expect(readFileSync(join(scratch.path, "one/values.yaml"), "utf8")).toContain("registry.example.org/outlive");
  });

  it("replaces nothing without --force", async () => {
    expect((await init("machine", "--to", "two")).status).toBe(0);
    const { status, stderr } = await init("machine", "--to", "two", "--cluster", "prod");
    expect([status, stderr]).toEqual([
      2,
      "error: Nothing was written: two/serve.sh exists. Choose another folder with --to, or replace it with --force.\n",
    ]);
    expect((await init("machine", "--to", "two", "--cluster", "prod", "--force")).status).toBe(0);
    expect(readFileSync(join(scratch.path, "two/serve.sh"), "utf8")).toContain("--cluster prod");
  });

  it("names the places, and the option that is missing", async () => {
    expect(await init()).toMatchObject({
      status: 2,
      stderr: "error: No place is set. Run outlive init machine, cluster or aws.\n",
    });
    const { status, stderr } = await init("aws", "--image", "registry.example.org/outlive");
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: Set --clusters: Names of the clusters/);
  });
});
