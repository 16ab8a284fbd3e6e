import { describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import type { Deployment } from "../../../cli/deployment/deployment.ts";
import { collect } from "../../../cli/doctor/check.ts";
import { checkStage } from "../../../cli/upgrade/check-stage.ts";
import type { ApiClient } from "../../../src/host/client/api-client.ts";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";
import { MemoryLog } from "../../support/stores/memory-log.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const NOW = Date.UTC(2026, 10, 28);
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/v1/readyz": { status: "ok" },
  "/v1/clusters": { items: [] },
  "/v1/openapi.json": { info: { version: manifest.version } },
};
const api: ApiClient = {
  name: "the API",
  request: async (path) => Response.json(ANSWERS[path], { headers: { date: new Date(NOW).toUTCString() } }),
  close: async () => {},
};

/** A stack without some outputs. */
function stackWithout(...missing: readonly string[]): Deployment {
  return {
    stack: "Outlive-prod",
    optional: () => undefined,
    output: (name) => {
      if (missing.includes(name)) throw new CommandFailure(2, `No output ${name}.`);
      return name;
    },
  };
}

const stores = () => ({ log: new MemoryLog(), meta: new MemoryMetaStore() });

function checksOf(read: () => Promise<Deployment>) {
  return collect(checkStage({ read, stores, api: async () => api, now: () => NOW }));
}

describe("the check of a deployment", () => {
  it("finds the formats of its tables, its release and its clusters", async () => {
    const checks = await checksOf(async () => stackWithout());
    expect(checks.map(({ check, result }) => `${check} ${result}`)).toEqual([
      "release ok",
      "node ok",
      "stack ok",
      "log ok",
      "migration ok",
      "replay ok",
      "back warning",
      "api ok",
      "reader ok",
      "server ok",
      "kubernetes skipped",
    ]);
  });

  it("names the parts that a stack of an earlier release lacks", async () => {
    const checks = await checksOf(async () => stackWithout("RunsTableA", "RunsTableB"));
    expect(checks.find(({ check }) => check === "stack")).toMatchObject({
      result: "warning",
      detail: expect.stringContaining("lacks RunsTableA and RunsTableB") as string,
    });
  });

  it("ends if there is no stack", async () => {
    const checks = await checksOf(async () => {
      throw new CommandFailure(2, "There is no stack Outlive-prod.");
    });
    expect(checks.at(-1)).toEqual({ check: "stack", result: "failed", detail: "There is no stack Outlive-prod." });
  });
});
