import type { ApiClient } from "../../src/client/api-client.ts";

/** The same client. It prints each warning of the API once. */
export function printWarnings(api: ApiClient, remark: (text: string) => void): ApiClient {
  const printed = new Set<string>();
  return {
    ...api,
    request: async (path) => {
      const response = await api.request(path);
      const text = warningOf(response.headers);
      if (text === undefined || printed.has(text)) return response;
      printed.add(text);
      remark(`Warning: ${text}`);
      return response;
    },
  };
}

/** RFC 7234, 5.5: the code 299, an agent, and a quoted text. */
function warningOf(headers: Headers): string | undefined {
  return /^299 \S+ "(.*)"$/.exec(headers.get("warning") ?? "")?.[1];
}
