import { createSqliteMetaStore } from "../../src/sqlite/sqlite-meta-store.ts";
import { describeMetaStore } from "../contract/describe-meta-store.ts";
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
