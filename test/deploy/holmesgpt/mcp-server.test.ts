import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOOLS } from "../../../src/http/mcp/tools/tools.ts";
import { example, runOutlive, scratchFolder, serveOutlive, type Serving } from "../../support/running/run-outlive.ts";
import { skipWithout } from "../../support/running/skip-without.ts";
import { hasHolmes, invokeWithHolmes, readMcpServer, toolsetFile } from "./holmesgpt.ts";

const { config, llm_instructions: instructions } = readMcpServer();
const names = TOOLS.map(({ name }) => name);

describe("the MCP server for HolmesGPT", () => {
  it("is the Service of the chart, by HTTP", () => {
    expect([new URL(config.url).pathname, new URL(config.url).port]).toEqual(["/mcp", "8080"]);
  });

  it("is checked by a tool that needs no arguments", () => {
    expect(names).toContain(config.health_check_tool);
  });

  it("is described by tools that exist", () => {
    const named = [...instructions.matchAll(/\b(?:[a-z]+_[a-z_]+|timeline|completeness|why)\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });
});

const skip = skipWithout(hasHolmes(), {
  dependency: "HolmesGPT",
  untested: "the MCP server with HolmesGPT's own client (npm run setup:tests -- --holmesgpt, 800 MB)",
});

const TOKEN = "a-token-that-the-server-and-the-agent-have";

describe.skipIf(skip)("HolmesGPT", () => {
  const folder = scratchFolder();
  let serving: Serving;
  let file: string;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const files = ["pod-gc-ate-success.ndjson.gz", "pod-gc-ate-success.audit.ndjson.gz"].map(example);
    await runOutlive(["import", "--cluster", "prod", "--database", "m.sqlite", ...files], { cwd: folder.path });
    const args = ["serve", "--database", "m.sqlite", "--listen", "127.0.0.1:0"];
    serving = await serveOutlive(args, { cwd: folder.path, env: { OUTLIVE_TOKEN: TOKEN } });
    file = join(folder.path, "outlive-mcp.yaml");
    writeFileSync(
      file,
      readFileSync(toolsetFile("outlive-mcp.yaml"), "utf8").replace(config.url, `${serving.url}/mcp`),
    );
    env = { OUTLIVE_TOKEN: TOKEN, HOME: folder.path };
  }, 120_000);
  afterAll(async () => {
    await serving.stop("SIGTERM");
    await folder.remove();
  });

  it("loads the tools, and gets their answers", () => {
    const calls = [
      ["why", { target: "job/render-0018" }],
      ["find_runs", { name: "render-0018" }],
    ] as const;
    const loaded = invokeWithHolmes(file, calls, env);
    expect(loaded).toMatchObject({ status: "enabled", error: null, tools: names.toSorted() });
    expect(loaded.results.map(({ status }) => status)).toEqual(["success", "success"]);
    expect(loaded.results[0]?.data).toContain("8 needless re-runs");
    expect(loaded.results[1]?.data).toContain("prod/pod-gc-ate-success/job/render-0018");
  }, 120_000);

  it("offers no tools with a token that is wrong", () => {
    const loaded = invokeWithHolmes(file, [], { ...env, OUTLIVE_TOKEN: "another" });
    expect(loaded).toMatchObject({ status: "failed", tools: [] });
    expect(loaded.error).toContain("401");
  }, 120_000);
});
