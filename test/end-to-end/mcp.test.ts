import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../src/http/mcp/tools/tools.ts";
import { callTool } from "../support/mcp/connected-client.ts";
import {
  outputOf,
  runOutlive,
  scratchFolder,
  example,
  type Serving,
  serveOutlive,
} from "../support/running/run-outlive.ts";
import { skipWithout } from "../support/running/skip-without.ts";

const LAUNCHER = fileURLToPath(new URL("../../cli/outlive.js", import.meta.url));
const SCRIPT = fileURLToPath(new URL("call-mcp-tools.py", import.meta.url));
const BERT = "JobSet jobset-restarts/bert of cluster ml";

const folder = scratchFolder();
let server: Serving;

beforeAll(async () => {
  const imported = ["import", "--cluster", "ml", example("jobset-restarts.ndjson.gz")];
  await runOutlive(imported, { cwd: folder.path });
  server = await serveOutlive(["serve", "--listen", "127.0.0.1:0"], { cwd: folder.path });
});
afterAll(async () => {
  await server.stop("SIGTERM");
  await folder.remove();
});

/** The official client, connected to `outlive mcp`. */
async function stdioClient(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [LAUNCHER, "mcp", ...args],
    cwd: folder.path,
    env: { ...env },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(transport);
  return client;
}

describe("outlive mcp", () => {
  it.each([
    ["a database file", () => []],
    ["a server", () => ["--server", server.url]],
  ])("answers an agent about %s", async (_, args) => {
    const client = await stdioClient(args());
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const { answer } = await callTool(client, "why", { target: "jobset/bert" });
    expect(answer.sentence).toContain(`${BERT} is complete`);
    await client.close();
  });

  it("answers that a server cannot be reached, and goes on", async () => {
    const client = await stdioClient(["--server", "http://127.0.0.1:1"]);
    const { isError, answer } = await callTool(client, "completeness");
    expect([isError, answer.sentence]).toEqual([true, "The Outlive server cannot be reached: `detail` says why."]);
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    await client.close();
  });

  it("says on standard error what it cannot open, and leaves standard output to the protocol", async () => {
    const ran = await runOutlive(["mcp", "--database", "missing.sqlite"], { cwd: folder.path });
    expect([ran.status, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("missing.sqlite");
  });

  it("writes messages of the protocol only, also for lines that are none, and ends with its input", async () => {
    const child = spawn(process.execPath, [LAUNCHER, "mcp"], { cwd: folder.path, env: {}, stdio: "pipe" });
    const output = outputOf(child);
    const info = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } };
    const ask = async (line: string) => {
      child.stdin.write(`${line}\n`);
      await once(child.stdout, "data");
    };
    child.stdin.write("this is no message\n");
    await ask(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: info }));
    await ask(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }));
    child.stdin.end();
    await once(child, "close");
    const ids = output()
      .stdout.trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly id: number }).id);
    expect([child.exitCode, ids]).toEqual([0, [1, 2]]);
  });
});

const PYTHON = join(
  // oxlint-disable-next-line node/no-process-env -- npm run setup:tests uses the same folder
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "outlive-tests/mcp/bin/python",
);
const skip = skipWithout(spawnSync(PYTHON, ["-c", "import mcp"]).status === 0, {
  dependency: "Python SDK of MCP",
  untested: "a client of the tools for agents that is not written in TypeScript",
});

const CALLS = [
  ["find_runs", { kind: "jobset" }],
  ["get_run", { target: "jobset/bert" }],
  ["why", { target: "jobset/bert" }],
  ["why_not_running", { target: "jobset/bert" }],
  ["timeline", { target: "jobset/bert" }],
  ["compare_runs", { target: "jobset/bert" }],
  ["node_report", { since: "4000d" }],
  ["completeness", {}],
] as const;

describe.skipIf(skip)("the Python SDK", () => {
  it.each([
    ["HTTP", () => [`${server.url}/mcp`]],
    ["stdio", () => [process.execPath, LAUNCHER, "mcp", "--database", join(folder.path, "outlive.sqlite")]],
  ])("lists and calls every tool over %s", (_, args) => {
    const ran = spawnSync(PYTHON, [SCRIPT, JSON.stringify(CALLS), ...args()], { encoding: "utf8" });
    expect([ran.status, ran.stderr.includes("Error")]).toEqual([0, false]);
    expect(JSON.parse(ran.stdout)).toEqual({
      tools: TOOLS.map(({ name }) => name),
      find_runs: "Found 2 runs; 2 Complete.",
      get_run: expect.stringContaining(BERT) as string,
      why: expect.stringContaining("first failure in Job bert-node-2") as string,
      why_not_running: expect.stringContaining("it waits for nothing: use why") as string,
      timeline: expect.stringContaining(`facts about ${BERT}`) as string,
      compare_runs: expect.stringContaining("no earlier run to compare with is known") as string,
      node_report: expect.stringContaining("Pods failed on") as string,
      completeness: expect.stringContaining("1 cluster, of which 1 silent") as string,
    });
  });
});
