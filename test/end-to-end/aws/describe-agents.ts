import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { callTool } from "../../support/mcp/connected-client.ts";
import { TOOLS } from "../../../src/http/mcp/tools/tools.ts";
import type { RecordedCluster } from "./recorded-clusters.ts";

export interface AskedStage {
  readonly apiUrl: string;
  /** Sends a recording, and waits until the stage answers about all of its Jobs. */
  readonly feed: (recorded: RecordedCluster) => Promise<void>;
}

/** The tools for agents of a stage that needs no token. */
export function describeAgents(open: () => AskedStage, recorded: () => RecordedCluster): void {
  it("answers agents that ask it over HTTP", async () => {
    const { apiUrl, feed } = open();
    const { cluster } = recorded();
    await feed(recorded());
    const client = new Client({ name: "test", version: "0.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${apiUrl}/mcp`)));
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const { answer } = await callTool(client, "find_runs", { cluster });
    const [{ target }] = answer["runs"] as readonly [{ readonly target: string }];
    for (const tool of ["get_run", "why", "why_not_running", "timeline", "compare_runs", "completeness"]) {
      const called = await callTool(client, tool, { target });
      expect([tool, called.isError ?? false, called.answer["target"] ?? target]).toEqual([tool, false, target]);
    }
    expect((await callTool(client, "node_report", { cluster, since: "4000d" })).isError ?? false).toBe(false);
    await client.close();
  });
}
