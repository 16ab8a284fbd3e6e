import { describe, expect, it } from "vitest";
import { operationsApp } from "../../../src/host/exporter/operations-app.ts";

function app(reasons: readonly string[]) {
  const registry = { text: async (format: string) => `# ${format}\n` };
  return operationsApp({ registry, reasons: () => reasons, problems: () => ["Grant nodes."] });
}

describe("the probes of an exporter", () => {
  it("report that the process is alive, even if it is not ready", async () => {
    expect((await app(["Not yet."]).request("/healthz")).status).toBe(200);
  });

  it("report readiness with problems, or the reasons why not", async () => {
    const ready = await app([]).request("/readyz");
    expect([ready.status, await ready.text()]).toEqual([200, "ok\nGrant nodes.\n"]);
    const waiting = await app(["Not yet."]).request("/readyz");
    expect([waiting.status, await waiting.text()]).toEqual([503, "Not yet.\n"]);
  });

  it("serve the metrics", async () => {
    const response = await app([]).request("/metrics");
    expect(response.headers.get("content-type")).toContain("text/plain");
    const accept = "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4";
    const preferred = await app([]).request("/metrics", { headers: { accept } });
    expect(preferred.headers.get("content-type")).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
    expect(await preferred.text()).toBe("# openmetrics\n# EOF\n");
  });
});
