import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import type { Hono } from "hono";
import type { ApiEnvironment } from "../../../src/http/create-api.ts";

export interface HttpClientOptions {
  readonly token?: string;
  readonly mode?: VersionNegotiationMode;
  readonly environment?: ApiEnvironment;
  /** Sends a request of the client. @default to the API in this process */
  readonly send?: (request: Request) => Promise<Response>;
}

/** The official client over HTTP, without a socket; and the bodies of the responses that it got. */
export async function httpClient(
  app: Hono,
  {
    token,
    mode = "auto",
    environment = {},
    send = async (request) => app.fetch(request, environment),
  }: HttpClientOptions = {},
) {
  const bodies: string[] = [];
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      request.headers.set("host", "127.0.0.1");
      if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
      const response = await send(request);
      bodies.push(await response.clone().text());
      return response;
    },
  });
  const client = new Client({ name: "test", version: "0.0.0" }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, bodies };
}
