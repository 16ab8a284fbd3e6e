import { AwsError } from "../../adapters/aws/aws-error.ts";
import { warningsOf } from "../../http/contract/warnings.ts";
import type { Ask } from "../../http/mcp/ask.ts";
import { type ApiClient, tryGetJson } from "./api-client.ts";
import { ApiError } from "./api-error.ts";

/** The API for the tools for agents: that of a server or of a database file. A failed request is a reply, too. */
export function askWith(api: ApiClient): Ask {
  return async (path) => {
    let warnings: readonly string[] = [];
    const noting: ApiClient = {
      ...api,
      request: async (asked) => {
        const response = await api.request(asked);
        warnings = warningsOf(response.headers);
        return response;
      },
    };
    try {
      return { ...(await tryGetJson<unknown>(noting, path)), warnings };
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof AwsError)) throw error;
      return { outcome: "refused", problem: unreachable(error) };
    }
  };
}

function unreachable({ message }: Error) {
  return { type: "urn:outlive:problem:server-unreachable", title: "Server unreachable", status: 503, detail: message };
}
