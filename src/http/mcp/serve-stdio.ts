import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "./mcp-server.ts";
import type { ToolContext } from "./tool.ts";

export interface StdioOptions {
  readonly version: string;
  /** Called with messages that are invalid in the protocol. Standard output is reserved for the protocol. */
  readonly onError: (error: Error) => void;
}

/** Answers an agent on standard input and output, until standard input ends. */
export async function serveToolsOnStdio(context: ToolContext, { version, onError }: StdioOptions): Promise<void> {
  const ended = once(process.stdin, "close");
  const connection = serveStdio(() => createMcpServer(context, version), { onerror: onError, maxSubscriptions: 0 });
  await ended;
  await connection.close();
}
