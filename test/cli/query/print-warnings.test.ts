import { describe, expect, it } from "vitest";
import { printWarnings } from "../../../cli/query/print-warnings.ts";

async function remarksOf(headers: Record<string, string>) {
  const remarks: string[] = [];
  const respond = { name: "api", request: async () => new Response("{}", { headers }), close: async () => {} };
  const api = printWarnings(respond, (text) => remarks.push(text));
  await api.request("/v1/jobs");
  await api.request("/v1/jobs");
  return remarks;
}

describe("the warnings of an API", () => {
  it("are printed once each", async () => {
    expect(await remarksOf({ warning: '299 - "The archive was read."' })).toEqual(["Warning: The archive was read."]);
  });

  it("are none without the header, or with another code", async () => {
    expect(await remarksOf({})).toEqual([]);
    expect(await remarksOf({ warning: '110 - "Stale."' })).toEqual([]);
  });
});
