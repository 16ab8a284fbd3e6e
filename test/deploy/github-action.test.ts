import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../support/running/run-outlive.ts";

/** Commands of the runner in texts of a cluster: after white space of any kind, and anywhere in a line. */
const HOSTILE = "w\r::error::owned\n\u{a0}::warning::owned ##[add-path]/tmp";
const ROOT = new URL("../../", import.meta.url);
const SCRIPT = fileURLToPath(new URL("deploy/github/wait-for-job.sh", ROOT));
const COMMAND = `${process.execPath} ${fileURLToPath(new URL("cli/outlive.js", ROOT))}`;
const folder = scratchFolder();
const output = join(folder.path, "output.txt");
let serving: Serving;

beforeAll(async () => {
  const recording = gunzipSync(readFileSync(example("deadline.ndjson.gz"))).toString();
  const hostile = recording.replaceAll('"name":"work"', `"name":${JSON.stringify(HOSTILE)}`);
  writeFileSync(join(folder.path, "hostile.ndjson"), hostile);
  for (const [cluster, file] of Object.entries({ prod: example("deadline.ndjson.gz"), hostile: "hostile.ndjson" })) {
    await runOutlive(["import", "--database", "m.sqlite", "--cluster", cluster, file], { cwd: folder.path });
  }
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
    JOB_CLUSTER: "prod",
    JOB_TIMEOUT: "0",
    ...inputs,
  };
  const { status, stdout, stderr } = spawnSync("bash", [SCRIPT], { cwd: folder.path, env, encoding: "utf8" });
  const outputs = readFileSync(output, "utf8").trim().split("\n");
  return { status, stdout, stderr, annotations: commandsIn(stdout), outputs };
}

/** What the runner takes for commands (actions/runner, ActionCommand.cs). */
function commandsIn(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim().startsWith("::") || line.includes("##["));
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

  it("does not let text from a cluster run a command of the runner", () => {
    const { stdout, annotations, outputs } = step({ JOB_CLUSTER: "hostile" });
    expect(stdout).toContain("## [add-path]/tmp exited with code 1");
    expect(annotations).toEqual([expect.stringMatching(/^::error title=Job report-backoff-limit/)]);
    expect(commandsIn(outputs.map((each) => each.slice(each.indexOf("=") + 1)).join("\n"))).toEqual([]);
    expect(outputs).toHaveLength(2);
  });

  it("does not let the output of any command run one", () => {
    const lines = ["::error::owned", "\t::error::owned", "\u{2003}::error::owned", "a\r::error::owned", "a ##[error]b"];
    const fake = join(folder.path, "fake.sh");
    writeFileSync(fake, `cat <<'END'\n${lines.join("\n")}\nEND\n`);
    const { stdout } = step({ OUTLIVE_COMMAND: `bash ${fake}` });
    expect(stdout.match(/owned/g)).toHaveLength(9);
    expect(commandsIn(stdout)).toEqual(["::notice title=Job report-backoff-limit::::error::owned"]);
  });
});

describe("action.yml", () => {
  const action = parse(readFileSync(new URL("action.yml", ROOT), "utf8")) as {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly runs: {
      readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[];
    };
  };
  const [only] = action.runs.steps;

  /** Runs the step in a checkout whose npm and client are fakes that write what they were called with. */
  function checkout(name: string, { npm }: { readonly npm: string }) {
    const path = join(folder.path, name);
    const script = join(path, "deploy/github/wait-for-job.sh");
    const bin = join(path, "bin");
    for (const made of [dirname(script), bin, join(path, "cli")]) mkdirSync(made, { recursive: true });
    copyFileSync(SCRIPT, script);
    const said = "process.argv.slice(2, 4).join(' '), process.env.OUTLIVE_TOKEN";
    writeFileSync(join(path, "cli/outlive.js"), `console.log("client:", ${said})`);
    writeFileSync(
      join(bin, "npm"),
      `#!/bin/sh\necho "$PWD: npm $*, token [$OUTLIVE_TOKEN]" >>"${path}/calls"\n${npm}\n`,
      {
        mode: 0o755,
      },
    );
    const env = {
      PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
      GITHUB_ACTION_PATH: path,
      OUTLIVE_TOKEN: "secret",
      JOB: "migrate-42",
    };
    const run = () => spawnSync("bash", ["-c", only?.run ?? ""], { cwd: folder.path, env, encoding: "utf8" });
    return { path, run, calls: () => readFileSync(join(path, "calls"), "utf8").trim().split("\n") };
  }

  it("runs its own checkout, with the locked dependencies, which get neither a script nor the token", () => {
    const { path, run, calls } = checkout("own checkout", {
      npm: "mkdir -p node_modules && touch node_modules/.package-lock.json",
    });
    expect(run().stdout).toContain("| client: wait job/migrate-42 secret");
    expect(run().stdout).toContain("| client: why job/migrate-42 secret");
    expect(calls()).toEqual([`${path}: npm ci --omit=dev --ignore-scripts --no-audit --no-fund, token []`]);
  });

  it("fails with status 2 if the dependencies cannot be installed, and shows why", () => {
    const { status, stdout } = checkout("no registry", { npm: "echo '::error::E404 ##[x]' >&2; exit 1" }).run();
    expect(status).toBe(2);
    expect(stdout).toContain("| ::error::E404 ## [x]");
    expect(commandsIn(stdout)).toEqual([expect.stringContaining("Cannot install the dependencies of the action")]);
  });

  it.each([
    ["an older Node", "#!/bin/sh\n[ $1 = --version ] && echo v22.1.0 || exit 1\n", "found v22.1.0"],
    ["no Node", "#!/bin/sh\nexit 127\n", "found none"],
  ])("fails with status 2 and installs nothing on a runner with %s", (name, node, found) => {
    const { path, run } = checkout(name, { npm: "" });
    writeFileSync(join(path, "bin/node"), node, { mode: 0o755 });
    const { status, stdout } = run();
    expect(status).toBe(2);
    expect(commandsIn(stdout)).toEqual([expect.stringContaining(`The action needs Node 24 and ${found}. Add`)]);
    expect(existsSync(join(path, "calls"))).toBe(false);
  });

  it("names no package that a registry would have to provide", () => {
    expect(JSON.stringify(action)).not.toMatch(/npx|@latest/);
  });

  it("passes every input to the step as an environment variable", () => {
    const passed = Object.values(only?.env ?? {}).join(" ");
    for (const name of Object.keys(action.inputs)) expect(passed).toContain(`inputs.${name} `);
    expect(only?.run).not.toContain("inputs.");
  });
});
