import { afterEach, describe, expect, it } from "vitest";
import { createSqliteJobStore } from "../../../src/adapters/sqlite/sqlite-job-store.ts";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

const scratch = new ScratchDatabases();
afterEach(() => scratch.clear());

describe("the names in a database", () => {
  it("include every newest Job of a namespace, and are found in 600 others", async () => {
    const store = createSqliteJobStore(scratch.open(":memory:"), "A");
    const cluster = clusterNamed("east");
    const namespaces = Array.from({ length: 600 }, (_, n) => `batch-${n}`);
    const summary = Uint8Array.of(1);
    for (const [n, namespace] of namespaces.entries()) {
      const row = { namespace, name: n % 200 === 0 ? "report" : "import", createdAt: n, attention: false, summary };
      await store.write({ cluster, jobUid: jobUid(`u${n}`) }, { bytes: summary, row: { ...row, phase: "F" } }, 0);
    }
    expect(await store.sampleNames({ cluster, namespace: "batch-0" }, 5)).toEqual(["report"]);
    expect(await store.namespacesWithName?.({ cluster, name: "report", namespaces })).toEqual([
      "batch-0",
      "batch-200",
      "batch-400",
    ]);
  });
});
