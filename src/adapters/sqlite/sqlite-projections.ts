import type { ClearableProjections, ProjectionName } from "../../ports/projections.ts";
import type { Database } from "./database.ts";
import { createSqliteJobStore, createSqliteRunStore, tablesOf } from "./sqlite-job-store.ts";

/** Both projections in one file. */
export function createSqliteProjections(database: Database): ClearableProjections {
  const stores = { A: storesOf(database, "A"), B: storesOf(database, "B") };
  return {
    open: (name) => stores[name].jobs,
    runs: (name) => stores[name].runs,
    clear: (name) =>
      database.inTransaction(() =>
        database.write((connection) => {
          // Without a condition SQLite drops whole pages instead of rows.
          for (const table of Object.values(tablesOf(name))) connection.run(`DELETE FROM ${table}`);
        }),
      ),
  };
}

function storesOf(database: Database, name: ProjectionName) {
  return { jobs: createSqliteJobStore(database, name), runs: createSqliteRunStore(database, name) };
}
