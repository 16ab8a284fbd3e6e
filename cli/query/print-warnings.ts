import { warningsOf } from "../../src/http/contract/warnings.ts";
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
