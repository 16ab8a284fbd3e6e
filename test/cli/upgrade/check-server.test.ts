import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { checkServer, compareReleases } from "../../../cli/upgrade/check-server.ts";
import { collect } from "../../../cli/doctor/check.ts";
import type { ApiClient } from "../../../src/host/client/api-client.ts";

const NOW = Date.UTC(2026, 10, 28);

/** A server of a release, with one cluster. */
function server(version: string, { ready = true }: { readonly ready?: boolean } = {}): ApiClient {
  const answers: Readonly<Record<string, unknown>> = {
    "/v1/readyz": { status: "ok" },
    "/v1/clusters": { items: [{ name: "east", serverVersion: "v1.36.3", namespaces: [] }] },
    "/v1/openapi.json": { info: { version } },
  };
  const headers = { date: new Date(NOW).toUTCString() };
  const request = async (path: string) =>
    Response.json(ready ? answers[path] : {}, { status: ready ? 200 : 503, headers });
  return { name: "https://outlive.example", request, close: async () => {} };
}

const resultsOf = async (api: ApiClient) => {
  const checks = await collect(checkServer(api, () => NOW));
  return checks.map(({ check, result }) => `${check} ${result}`);
};

describe("the check of a server", () => {
  it.each([
    ["of this release", manifest.version, "ok"],
    ["of a later release", "99.0.0", "warning"],
    ["of an earlier release", "0.0.9", "warning"],
    ["with a text that is no version", "latest", "failed"],
  ])("%s", async (_, version, result) => {
    expect(await resultsOf(server(version))).toEqual([
      "release ok",
      "node ok",
      "api ok",
      "reader ok",
      `server ${result}`,
      "kubernetes ok",
      "formats skipped",
    ]);
  });

  it("ends where the server is not ready", async () => {
    expect(await resultsOf(server("0.1.0", { ready: false }))).toEqual([
      "release ok",
      "node ok",
      "api failed",
      "formats skipped",
    ]);
  });
});

describe("releases", () => {
  it.each([
    ["0.1.0", "0.1.0", 0],
    ["0.2.0", "0.1.9", 1],
    ["0.1.9", "0.1.10", -1],
    ["1.0.0", "0.9.9", 1],
    ["0.1.0-rc.1", "0.1.0", 0],
    ["v1", "0.1.0", undefined],
  ])("%s and %s", (one, other, order) => {
    const compared = compareReleases(one, other);
    expect(compared === undefined ? undefined : Math.sign(compared)).toBe(order);
  });
});
