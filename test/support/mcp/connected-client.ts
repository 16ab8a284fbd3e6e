import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createMcpServer } from "../../../src/http/mcp/mcp-server.ts";
import type { ToolContext } from "../../../src/http/mcp/tool.ts";

/** The official client, connected to a server of the tools in this process. It checks answers by their schemas. */
export async function connectedClient(context: ToolContext): Promise<Client> {
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  await createMcpServer(context, "0.0.0").connect(ofServer);
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(ofClient);
  return client;
}

/** What a tool answers: its structured content, or what it says about an error. */
export type Answered = Readonly<Record<string, unknown>> & { readonly sentence: string };

export async function callTool(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
): Promise<CallToolResult & { readonly answer: Answered }> {
  const result = await client.callTool({ name, arguments: given });
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  return { ...result, answer: (result.structuredContent ?? parsed(text)) as Answered };
}

/** The SDK itself refuses arguments with a sentence. */
function parsed(text: string): unknown {
  return text.startsWith("{") ? JSON.parse(text) : { sentence: text };
}
