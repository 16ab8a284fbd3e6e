import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { describeLog } from "../../contract/describe-log.ts";
import { ScratchDatabases } from "./scratch-databases.ts";

let scratch: ScratchDatabases | undefined;

async function open(path: (scratch: ScratchDatabases) => string) {
  scratch = new ScratchDatabases();
  return createSqliteLog(scratch.open(path(scratch)));
}

async function close(): Promise<void> {
  scratch?.clear();
}

describeLog("SQLite in a file", () => open((scratch) => scratch.newPath()), close);
describeLog("SQLite in memory", () => open(() => ":memory:"), close);
