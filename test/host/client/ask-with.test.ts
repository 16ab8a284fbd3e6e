import { describe, expect, it } from "vitest";
import type { ApiClient } from "../../../src/host/client/api-client.ts";
import { ApiError } from "../../../src/host/client/api-error.ts";
import { askWith } from "../../../src/host/client/ask-with.ts";

function clientOf(request: ApiClient["request"]): ApiClient {
  return { name: "https://api", request, close: async () => {} };
}

describe("what tools ask with", () => {
  it("answers with the body and its warnings", async () => {
    const headers = { warning: '299 outlive "An import has not finished."' };
    const ask = askWith(clientOf(async () => Response.json({ items: [] }, { headers })));
    expect(await ask("/v1/jobs")).toEqual({
      outcome: "answered",
      answer: { items: [] },
      warnings: ["An import has not finished."],
    });
  });

  it("answers that a server cannot be reached", async () => {
    const ask = askWith(
      clientOf(async () => {
        throw new ApiError("Cannot reach the server at https://api.");
      }),
    );
    expect(await ask("/v1/jobs")).toMatchObject({
      outcome: "refused",
      problem: { type: "urn:outlive:problem:server-unreachable", detail: "Cannot reach the server at https://api." },
    });
  });

  it("passes on what is no failure of the server", async () => {
    const ask = askWith(
      clientOf(async () => {
        throw new TypeError("a defect");
      }),
    );
    await expect(ask("/v1/jobs")).rejects.toThrow("a defect");
  });
});
