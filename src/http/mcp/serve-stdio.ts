import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "./mcp-server.ts";
import type { ToolContext } from "./tool.ts";

export interface StdioOptions {
  readonly version: string;
  /** Called with messages that are no requests of the protocol. Standard output has the protocol only. */
  readonly onError: (error: Error) => void;
}

/** Answers an agent on standard input and output, until it closes its side. */
export async function serveToolsOnStdio(context: ToolContext, { version, onError }: StdioOptions): Promise<void> {
  const ended = once(process.stdin, "close");
  const connection = serveStdio(() => createMcpServer(context, version), { onerror: onError, maxSubscriptions: 0 });
  await ended;
  await connection.close();
}
