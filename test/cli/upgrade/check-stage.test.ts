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

/** A stage without some outputs. */
function stackWithout(...missing: readonly string[]): Deployment {
  return {
    stage: "Outlive-prod",
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
      "stage ok",
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

  it("names the parts that a stage of an earlier release lacks", async () => {
    const checks = await checksOf(async () => stackWithout("RunsTableA", "RunsTableB"));
    expect(checks.find(({ check }) => check === "stage")).toMatchObject({
      result: "warning",
      detail: expect.stringContaining("lacks RunsTableA and RunsTableB") as string,
    });
  });

  it("ends if there is no stage", async () => {
    const checks = await checksOf(async () => {
      throw new CommandFailure(2, "There is no stage Outlive-prod.");
    });
    expect(checks.at(-1)).toEqual({ check: "stage", result: "failed", detail: "There is no stage Outlive-prod." });
  });
});
