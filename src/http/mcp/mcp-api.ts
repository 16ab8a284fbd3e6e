import type { OptionalApi } from "../optional-api.ts";

/** The tools for agents, over the streamable HTTP transport of the Model Context Protocol. */
export const mcpApi: OptionalApi = {
  paths: ["/mcp"],
  // Loaded with the first request that needs it: the SDK is large.
  serve: async (context, server) => (await import("./serve-mcp.ts")).serveMcp(context, server),
};
