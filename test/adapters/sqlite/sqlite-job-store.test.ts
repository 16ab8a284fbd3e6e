import { createSqliteJobStore } from "../../../src/adapters/sqlite/sqlite-job-store.ts";
import { describeJobStore } from "../../contract/describe-job-store.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

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
