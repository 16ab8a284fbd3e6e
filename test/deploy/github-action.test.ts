import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../support/running/run-outlive.ts";

const ROOT = new URL("../../", import.meta.url);
const SCRIPT = fileURLToPath(new URL("deploy/github/wait-for-job.sh", ROOT));
const COMMAND = `${process.execPath} ${fileURLToPath(new URL("cli/outlive.js", ROOT))}`;
const folder = scratchFolder();
const output = join(folder.path, "output.txt");
let serving: Serving;

beforeAll(async () => {
  const args = ["import", "--database", "m.sqlite", "--cluster", "prod", example("deadline.ndjson.gz")];
  await runOutlive(args, { cwd: folder.path });
  serving = await serveOutlive(["serve", "--database", "m.sqlite", "--listen", "127.0.0.1:0"], { cwd: folder.path });
}, 120_000);
afterAll(async () => {
  await serving.stop("SIGTERM");
  await folder.remove();
});

/** Runs the step with inputs, as GitHub does. */
function step(inputs: Readonly<Record<string, string>>) {
  writeFileSync(output, "");
  const env = {
    PATH: "/usr/bin:/bin",
    OUTLIVE_COMMAND: COMMAND,
    OUTLIVE_SERVER: serving.url,
    OUTLIVE_TOKEN: "",
    GITHUB_OUTPUT: output,
    JOB: "report-backoff-limit",
    JOB_NAMESPACE: "deadline",
    JOB_TIMEOUT: "0",
    ...inputs,
  };
  const { status, stdout, stderr } = spawnSync("bash", [SCRIPT], { cwd: folder.path, env, encoding: "utf8" });
  const annotations = stdout.split("\n").filter((line) => line.startsWith("::"));
  return { status, stderr, annotations, outputs: readFileSync(output, "utf8").trim().split("\n") };
}

describe("the step of the GitHub Action", { timeout: 60_000 }, () => {
  it("fails, and names the cause, for a Job that failed", () => {
    const { status, annotations, outputs } = step({});
    expect(status).toBe(1);
    expect(annotations).toEqual([
      expect.stringMatching(/^::error title=Job report-backoff-limit%3A exit status 1::.+/),
    ]);
    expect(outputs).toEqual(["status=1", expect.stringMatching(/^cause=.*Failed/)]);
  });

  it("succeeds if the Job is as wanted", () => {
    const { status, annotations, outputs } = step({ JOB_GOAL: "finished" });
    expect(status).toBe(0);
    expect(annotations).toEqual([expect.stringMatching(/^::notice title=Job report-backoff-limit::.+/)]);
    expect(outputs[0]).toBe("status=0");
  });

  it("has exit status 3 for an unknown Job, and 2 without a server", () => {
    expect(step({ JOB: "nothing" })).toMatchObject({ status: 3, annotations: [expect.stringMatching(/^::error /)] });
    expect(step({ OUTLIVE_SERVER: "http://127.0.0.1:9" }).status).toBe(2);
  });

  it("does not run an input, or let it add an annotation or an output", () => {
    const { annotations, outputs } = step({ JOB: "x\n::warning::owned\n$(touch owned)" });
    expect(annotations).toHaveLength(1);
    expect(outputs).toHaveLength(2);
  });
});

describe("action.yml", () => {
  it("passes every input to the step as an environment variable", () => {
    const action = parse(readFileSync(new URL("action.yml", ROOT), "utf8")) as {
      readonly inputs: Readonly<Record<string, unknown>>;
      readonly runs: {
        readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
      };
    };
    const [only] = action.runs.steps;
    const passed = Object.values(only?.env ?? {}).join(" ");
    for (const name of Object.keys(action.inputs)) expect(passed).toContain(`inputs.${name} `);
    expect(only?.run).not.toContain("inputs.");
  });
});
