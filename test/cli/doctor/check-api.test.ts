import { describe, expect, it } from "vitest";
import { collect } from "../../../cli/doctor/check.ts";
import { checkApi } from "../../../cli/doctor/check-api.ts";
import type { ApiClient } from "../../../src/host/client/api-client.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

/** An API that gives these answers, at noon by its clock. */
function apiWith(answers: Readonly<Record<string, readonly [status: number, body: unknown]>>): ApiClient {
  return {
    name: "The API",
    request: async (path) => {
      const [status, body] = answers[path] ?? [404, {}];
      return Response.json(body, { status, headers: { date: new Date(NOON).toUTCString() } });
    },
    close: async () => {},
  };
}
const READY = [200, {}] as const;
const CLUSTERS = [200, { items: [] }] as const;

describe("the checks of an API", () => {
  it("pass if it is ready and accepts the reader", async () => {
    const checks = await collect(checkApi(apiWith({ "/v1/readyz": READY, "/v1/clusters": CLUSTERS }), () => NOON));
    expect(checks.map(({ check, result }) => [check, result])).toEqual([
      ["api", "ok"],
      ["reader", "ok"],
    ]);
  });

  it.each([
    [60_000, "ok"],
    [61_000, "warning"],
    [-61_000, "warning"],
  ])("compare the clocks: a difference of %i ms is %s", async (skew, result) => {
    const [api] = await collect(checkApi(apiWith({ "/v1/readyz": READY }), () => NOON + skew));
    expect(api).toMatchObject({ check: "api", result });
  });

  it("stop at an API that is not ready", async () => {
    const checks = await collect(checkApi(apiWith({ "/v1/readyz": [503, {}] }), () => NOON));
    expect(checks).toMatchObject([{ check: "api", result: "failed" }]);
    expect(checks[0]?.detail).toContain("answers 503 to /v1/readyz");
  });

  it("name the reason why it is not ready", async () => {
    const problem = { title: "Not ready", status: 503, detail: "No data can be added. The disk is full." };
    const checks = await collect(checkApi(apiWith({ "/v1/readyz": [503, problem] }), () => NOON));
    expect(checks[0]?.detail).toBe("The API is not ready. No data can be added. The disk is full.");
  });

  it("fail for a reader without access", async () => {
    const denied = [403, { type: "about:blank", title: "Forbidden", status: 403, detail: "No grant." }] as const;
    const checks = await collect(checkApi(apiWith({ "/v1/readyz": READY, "/v1/clusters": denied }), () => NOON));
    expect(checks[1]).toMatchObject({ check: "reader", result: "failed" });
    expect(checks[1]?.detail).toContain("No grant.");
  });
});
