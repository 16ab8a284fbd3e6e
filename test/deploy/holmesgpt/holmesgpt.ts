import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { parse } from "yaml";

const FOLDER = new URL("../../../deploy/holmesgpt/", import.meta.url);

export function toolsetFile(name: string): string {
  return fileURLToPath(new URL(name, FOLDER));
}

const parameter = v.strictObject({
  type: v.literal("string"),
  description: v.string(),
  required: v.exactOptional(v.literal(false)),
});
const tool = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^outlive_[a-z_]+$/)),
  description: v.string(),
  user_description: v.string(),
  parameters: v.exactOptional(v.record(v.string(), parameter), {}),
  command: v.string(),
});
/** The keys that HolmesGPT 0.45 accepts (holmes/core/tools.py), as far as the files use them. It refuses others. */
const toolset = v.strictObject({
  description: v.string(),
  installation_instructions: v.string(),
  tags: v.tuple([v.literal("core")]),
  prerequisites: v.array(
    v.union([v.strictObject({ env: v.array(v.string()) }), v.strictObject({ command: v.string() })]),
  ),
  llm_instructions: v.string(),
  tools: v.array(tool),
});
export type HolmesTool = v.InferOutput<typeof tool>;

export function readToolset(): v.InferOutput<typeof toolset> {
  const file = parse(readFileSync(toolsetFile("outlive-cli.yaml"), "utf8")) as unknown;
  return v.parse(v.strictObject({ toolsets: v.strictObject({ "outlive/jobs": toolset }) }), file).toolsets[
    "outlive/jobs"
  ];
}

const server = v.strictObject({
  description: v.string(),
  config: v.strictObject({
    mode: v.literal("streamable-http"),
    url: v.pipe(v.string(), v.url()),
    headers: v.strictObject({ Authorization: v.literal("Bearer {{ env.OUTLIVE_TOKEN }}") }),
    health_check_tool: v.string(),
  }),
  llm_instructions: v.string(),
});

export function readMcpServer(): v.InferOutput<typeof server> {
  const file = parse(readFileSync(toolsetFile("outlive-mcp.yaml"), "utf8")) as unknown;
  return v.parse(v.strictObject({ mcp_servers: v.strictObject({ outlive: server }) }), file).mcp_servers.outlive;
}

export type Parameters = Readonly<Record<string, string>>;

/** The command line as Jinja renders it: `{% if x %}`, `{% else %}`, `{% if x | lower == "true" %}` and `{{ x }}`. */
export function renderCommand({ command }: HolmesTool, parameters: Parameters): string {
  return command
    .replaceAll(CONDITION, (...match) => {
      const { name = "", value, met = "", unmet = "" } = match.at(-1) as Partial<Record<string, string>>;
      const given = parameters[name] ?? "";
      return (value === undefined ? given !== "" : given.toLowerCase() === value) ? met : unmet;
    })
    .replaceAll(/\{\{ (\w+) \}\}/g, (_, name: string) => `'${(parameters[name] ?? "").replaceAll("'", `'"'"'`)}'`);
}

const CONDITION =
  /\{% if (?<name>\w+)(?: \| lower == "(?<value>\w+)")? %\}(?<met>.*?)(?:\{% else %\}(?<unmet>.*?))?\{% endif %\}/g;

// oxlint-disable-next-line node/no-process-env -- where tools/install-test-tools.sh --holmesgpt installs it
const CACHE = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
const PYTHON = join(CACHE, "outlive-tests/holmesgpt/bin/python");

export function hasHolmes(): boolean {
  return existsSync(PYTHON);
}

export interface Invoked {
  readonly status: string;
  readonly error: string | null;
  readonly tools: readonly string[];
  readonly results: readonly { readonly status: string; readonly data: string; readonly error: string | null }[];
}

/** Loads a file with HolmesGPT's own loader, and calls tools of it. */
export function invokeWithHolmes(
  file: string,
  calls: readonly (readonly [tool: string, parameters: Parameters])[],
  env: Readonly<Record<string, string>>,
): Invoked {
  const script = fileURLToPath(new URL("invoke-tools.py", import.meta.url));
  const { status, stdout, stderr } = spawnSync(PYTHON, [script, file], {
    input: JSON.stringify(calls),
    encoding: "utf8",
    env,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Invoked;
}
