import type { ApiClient } from "../../src/host/client/api-client.ts";

/** The same client. It prints each warning of the API once. */
export function printWarnings(api: ApiClient, remark: (text: string) => void): ApiClient {
  const printed = new Set<string>();
  return {
    ...api,
    request: async (path) => {
      const response = await api.request(path);
      for (const text of warningsOf(response.headers)) {
        if (printed.has(text)) continue;
        printed.add(text);
        remark(`Warning: ${text}`);
      }
      return response;
    },
  };
}

/** RFC 7234, 5.5: each has the code 299, an agent, and a quoted text. */
function warningsOf(headers: Headers): readonly string[] {
  return [...(headers.get("warning") ?? "").matchAll(/299 \S+ "([^"]*)"/g)].map(([, text = ""]) => text);
}
