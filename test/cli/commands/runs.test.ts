import { describe, expect, it } from "vitest";
import { define } from "../../../cli/commands/runs.ts";
import { commandOverRuns } from "./runs-of-database.ts";

const runs = commandOverRuns(define);

describe("outlive runs", () => {
  it.each([
    [["-A"], "jobset/next\ndagsterrun/5f1a\njobset/train\n"],
    [["-n", "ml"], "jobset/next\njobset/train\n"],
    [["-n", "ml", "--kind", "jobsets.jobset.x-k8s.io", "--state", "complete"], "jobset/train\n"],
    [["-n", "ml", "--state", "complete,queued"], "jobset/next\njobset/train\n"],
    [["-n", "ml", "--name", "next"], "jobset/next\n"],
    [["-A", "--series", "load"], "dagsterrun/5f1a\n"],
    [["-n", "ml", "--since", "2026-01-01T00:00:00Z"], "jobset/next\n"],
    [["-n", "ml", "--attention"], ""],
    [["-n", "ml", "-l", "team=data"], ""],
    [["--cluster", "east", "-A", "--limit", "1"], "jobset/next\n"],
  ])("%j prints %j", async (args, stdout) => {
    expect(await runs(...args, "-o", "name")).toMatchObject({ stdout, error: undefined });
  });

  it("finds the id of another system in all namespaces", async () => {
    const { stdout } = await runs("--external-id", "dagster/run-id=5f1a", "--no-headers");
    expect(stdout.split(/ {3,}/).slice(0, 3)).toEqual(["data", "DagsterRun", "5f1a"]);
  });

  it("says that there are more", async () => {
    expect((await runs("-A", "--limit", "1")).stderr).toMatch(/^Printed the newest 1\. There are more/);
  });

  it("says that nothing matches, and fails for an unknown place", async () => {
    expect((await runs("-n", "ml", "--name", "none")).stderr).toMatch(/^No runs /);
    expect((await runs("-n", "mll")).error).toMatchObject({ exitStatus: 3 });
  });

  it.each([
    [["--kind", "jobsett"], /^No runs found in namespace ml\. Kind "jobsett" is not built in\. Did you mean jobset\?/],
    [["--external-id", "dagsterr/run-id=1"], /^No runs found\. Id "dagsterr\/run-id" .* mean dagster\/run-id\?/],
  ])("says that %j may be misspelt", async (args, stderr) => {
    expect((await runs("-n", "ml", ...args)).stderr).toMatch(stderr);
  });

  it("refuses an unknown state", async () => {
    const { error } = await runs("-A", "--state", "happy");
    expect(error).toMatchObject({ message: expect.stringContaining('no state "happy"') as string });
  });
});
