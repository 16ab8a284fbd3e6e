import { createSqliteMetaStore } from "../../../src/adapters/sqlite/sqlite-meta-store.ts";
import { describeCounts } from "../../contract/describe-counts.ts";
import { describeMetaStore } from "../../contract/describe-meta-store.ts";
import { StreamedJobStore } from "../../support/stores/streamed-job-store.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases | undefined;

async function open(path: (scratch: ScratchDatabases) => string) {
  scratch = new ScratchDatabases();
  return createSqliteMetaStore(scratch.open(path(scratch)));
}

async function close(): Promise<void> {
  scratch?.clear();
}

describeMetaStore("SQLite in a file", () => open((scratch) => scratch.newPath()), close);
describeMetaStore("SQLite in memory", () => open(() => ":memory:"), close);
describeCounts(
  "SQLite",
  async () => {
    const meta = await open(() => ":memory:");
    const jobs = new StreamedJobStore(Date.now);
    return { jobs, meta, projection: "A", stream: jobs, remove: (key) => jobs.remove(key) };
  },
  close,
);
