import type { ClearableProjections } from "../../ports/projections.ts";
import type { Database } from "./database.ts";
import { createSqliteJobStore, tablesOf } from "./sqlite-job-store.ts";

/** Both projections in one file. */
export function createSqliteProjections(database: Database): ClearableProjections {
  const stores = { A: createSqliteJobStore(database, "A"), B: createSqliteJobStore(database, "B") };
  return {
    open: (name) => stores[name],
    clear: (name) =>
      database.inTransaction(() =>
        database.write((connection) => {
          // Without a condition SQLite drops whole pages instead of rows.
          connection.run(`DELETE FROM ${tablesOf(name).jobs}`);
          connection.run(`DELETE FROM ${tablesOf(name).pages}`);
        }),
      ),
  };
}
