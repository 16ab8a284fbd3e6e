import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../../support/running/run-outlive.ts";
import { skipWithout } from "../../support/running/skip-without.ts";
import { hasHolmes, invokeWithHolmes, type Parameters, readToolset, renderCommand, toolsetFile } from "./holmesgpt.ts";

const { tools, prerequisites } = readToolset();
/** Commands that change nothing, in the cluster or in Outlive. */
const READING = /^outlive (jobs|runs|why|pods|history|diff|cronjobs|nodes|clusters list|gaps)( |$)/;

describe("each command for HolmesGPT", () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))("%s only reads", (_, { command }) => {
    expect(command).toMatch(READING);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))("%s uses exactly its parameters", (_, tool) => {
    const used = [...tool.command.matchAll(/\{\{ (\w+) \}\}|\{% if (\w+)/g)].map(([, shown, asked]) => shown ?? asked);
    expect(new Set(used)).toEqual(new Set(Object.keys(tool.parameters)));
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))("%s lets no value become an option", (_, { command }) => {
    for (const { index } of command.matchAll(/\{\{/g)) {
      expect(command.slice(0, index)).toMatch(/[ }]--[a-z-]+=$| -- $/);
    }
  });
});

const JOB: Parameters = { subject: "job/render-0018", job_namespace: "pod-gc-ate-success" };
const CALLS: readonly (readonly [tool: string, parameters: Parameters, answer: RegExp])[] = [
  ["outlive_find_jobs", { findings: "true", state: "Complete", cluster: "prod" }, /render-\d{4}/],
  ["outlive_find_jobs", { job_namespace: "pod-gc-ate-success", name: "render-0018" }, /render-0018/],
  ["outlive_find_runs", { state: "Failed", since: "9999d" }, /No runs|no runs/],
  ["outlive_why", JOB, /pod-garbage-collector/],
  ["outlive_pods", { ...JOB, cluster: "prod" }, /pod-garbage-collector|Succeeded/],
  ["outlive_history", JOB, /render-0018/],
  ["outlive_compare", JOB, /./],
  ["outlive_cron_jobs", {}, /./],
  ["outlive_nodes", { cluster: "prod", since: "9999d" }, /./],
  ["outlive_clusters", {}, /prod/],
  ["outlive_gaps", {}, /./],
];
const HOSTILE: readonly (readonly [tool: string, parameters: Parameters])[] = [
  ["outlive_why", { subject: "--token-command=touch pwned", job_namespace: "a" }],
  ["outlive_why", { subject: "job/a", job_namespace: "$(touch pwned)" }],
  ["outlive_find_jobs", { name: "x' --token-command='touch pwned" }],
];

const folder = scratchFolder();
let serving: Serving;
let env: Readonly<Record<string, string>>;

function call(name: string, parameters: Parameters) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const { stdout, stderr } = spawnSync("/bin/bash", ["-c", renderCommand(tool, parameters)], {
    cwd: folder.path,
    env,
    encoding: "utf8",
  });
  return stdout + stderr;
}

beforeAll(async () => {
  const files = ["pod-gc-ate-success.ndjson.gz", "pod-gc-ate-success.audit.ndjson.gz"].map(example);
  await runOutlive(["import", "--cluster", "prod", "--database", "m.sqlite", ...files], { cwd: folder.path });
  serving = await serveOutlive(["serve", "--database", "m.sqlite", "--listen", "127.0.0.1:0"], { cwd: folder.path });
  const launcher = fileURLToPath(new URL("../../../cli/outlive.js", import.meta.url));
  const program = join(folder.path, "outlive");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(program, 0o755);
  env = {
    OUTLIVE_SERVER: serving.url,
    TOOL_MEMORY_LIMIT_MB: "2000",
    PATH: `${folder.path}:/usr/bin:/bin`,
    HOME: folder.path,
  };
}, 120_000);

afterAll(async () => {
  await serving.stop("SIGTERM");
  await folder.remove();
});

describe("the tools of HolmesGPT", () => {
  it("are each called here", () => {
    expect(new Set(CALLS.map(([name]) => name))).toEqual(new Set(tools.map(({ name }) => name)));
  });

  it.each(CALLS)("%s answers %j", (name, parameters, answer) => {
    const text = call(name, parameters);
    expect(text).toMatch(answer);
    expect(text).not.toMatch(/error:|unknown option|Usage:/i);
  });

  it.each(HOSTILE)("%s runs nothing that %j names", (name, parameters) => {
    call(name, parameters);
    expect(existsSync(join(folder.path, "pwned"))).toBe(false);
  });

  it("are offered only where the server answers", () => {
    const commands = prerequisites.flatMap((one) => ("command" in one ? [one.command] : []));
    expect(commands).toHaveLength(1);
    const run = (server: string) =>
      spawnSync("/bin/bash", ["-c", commands[0] ?? ""], { cwd: folder.path, env: { ...env, OUTLIVE_SERVER: server } });
    expect([run(serving.url).status, run("http://127.0.0.1:1").status]).toEqual([0, 2]);
  });
});

const skip = skipWithout(hasHolmes(), {
  dependency: "HolmesGPT",
  untested: "the toolset with HolmesGPT's own loader (npm run setup:tests -- --holmesgpt, 800 MB)",
});

describe.skipIf(skip)("HolmesGPT", () => {
  it("loads the tools, and gets their answers", () => {
    const loaded = invokeWithHolmes(
      toolsetFile("outlive-cli.yaml"),
      CALLS.map(([name, parameters]) => [name, parameters]),
      env,
    );
    expect(loaded).toMatchObject({ status: "enabled", error: null, tools: tools.map(({ name }) => name).toSorted() });
    for (const [at, [name, , answer]] of CALLS.entries()) expect(loaded.results[at]?.data, name).toMatch(answer);
  }, 120_000);

  it("runs nothing that a value names", () => {
    expect(invokeWithHolmes(toolsetFile("outlive-cli.yaml"), HOSTILE, env).results).toHaveLength(HOSTILE.length);
    expect(existsSync(join(folder.path, "pwned"))).toBe(false);
  }, 120_000);
});
