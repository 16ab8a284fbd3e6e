import { statSync, truncateSync } from "node:fs";
import type { Database } from "../../../src/adapters/sqlite/database.ts";
import { createSqliteLog } from "../../../src/adapters/sqlite/sqlite-log.ts";
import { itemAt } from "./numbered-item.ts";
import type { ScratchDatabases } from "./scratch-databases.ts";

/** A database of 50 log items that lost the second half of its file while it was open. */
export async function damagedDatabase(scratch: ScratchDatabases): Promise<{ path: string; database: Database }> {
  const path = scratch.newPath();
  const database = scratch.open(path);
  const log = createSqliteLog(database);
  for (let number = 0; number < 50; number += 1) await log.append(itemAt(number));
  await database.write((connection) => connection.get("PRAGMA wal_checkpoint(TRUNCATE)"));
  truncateSync(path, statSync(path).size / 2);
  return { path, database };
}
