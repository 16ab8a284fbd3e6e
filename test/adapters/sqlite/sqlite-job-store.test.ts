import { createSqliteJobStore, createSqliteRunStore } from "../../../src/adapters/sqlite/sqlite-job-store.ts";
import { describeJobStore } from "../../contract/describe-job-store.ts";
import { describeRunStore } from "../../contract/describe-run-store.ts";
import { ScratchDatabases } from "./scratch-databases.ts";
import { afterEach, describe, expect, it } from "vitest";
import { clusterNamed, jobUid } from "../../support/facts/names.ts";

let scratch: ScratchDatabases | undefined;

async function open(path: (scratch: ScratchDatabases) => string) {
  scratch = new ScratchDatabases();
  return createSqliteJobStore(scratch.open(path(scratch)), "A");
}

async function close(): Promise<void> {
  scratch?.clear();
}

describeJobStore("SQLite in a file", () => open((scratch) => scratch.newPath()), close);
describeJobStore("SQLite in memory", () => open(() => ":memory:"), close);
describeRunStore(
  "SQLite",
  async () => {
    scratch = new ScratchDatabases();
    return createSqliteRunStore(scratch.open(":memory:"), "A");
  },
  close,
);

const databases = new ScratchDatabases();
afterEach(() => databases.clear());

describe("the names in a database", () => {
  it("include every newest Job of a namespace, and are found in 600 others", async () => {
    const store = createSqliteJobStore(databases.open(":memory:"), "A");
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
