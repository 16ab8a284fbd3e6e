import { decodeJobUid } from "../../job/model/ids.ts";
import type { Eraser, StateEraser } from "../../ports/erasing/eraser.ts";
import type { ProjectionName } from "../../ports/projections.ts";
import { textOf } from "./connection.ts";
import type { Database } from "./database.ts";
import { tablesOf } from "./sqlite-job-store.ts";

/** Jobs per read. */
const PAGE = 1_000;

/** Removes data from a database file, except metrics (sqlite-metric-tables.ts) and notices (src/notify/outbox). */
export function createSqliteEraser(database: Database): Omit<Eraser, "metrics" | "notices"> {
  return {
    replaceItem: ({ key, bytes, factCount }) =>
      database.write((connection) => {
        const sql = "UPDATE log SET bytes = ?, fact_count = ? WHERE pk = ? AND sk = ?";
        connection.run(sql, bytes, factCount, key.pk, key.sk);
      }),
    removeRecord: (kind, key) =>
      database.write((connection) => {
        connection.run("DELETE FROM meta WHERE kind = ? AND key = ?", kind, key);
      }),
    ...stateEraser(database, (projection) => [tablesOf(projection).jobs, tablesOf(projection).pages]),
    // Runs have no pages.
    runs: stateEraser(database, (projection) => [tablesOf(projection).runs]),
    purge: () => database.purge(),
  };
}

type TablesOfStates = (projection: ProjectionName) => readonly [states: string, ...pages: readonly string[]];

function stateEraser(database: Database, tables: TablesOfStates): StateEraser {
  return {
    storedJobs: (projection, cluster) => storedJobs(database, tables(projection)[0], cluster),
    removeJob: (projection, { cluster, jobUid }) =>
      database.inTransaction(() =>
        database.write((connection) => {
          for (const table of tables(projection)) {
            connection.run(`DELETE FROM ${table} WHERE cluster = ? AND job_uid = ?`, cluster, jobUid);
          }
        }),
      ),
  };
}

async function* storedJobs(database: Database, table: string, cluster: string) {
  const sql = `SELECT job_uid FROM ${table} WHERE cluster = ? AND job_uid > ? ORDER BY job_uid LIMIT ?`;
  let after = "";
  for (;;) {
    const from = after;
    const rows = await database.read((connection) => connection.all(sql, cluster, from, PAGE));
    for (const row of rows) {
      const uid = decodeJobUid(textOf(row, "job_uid"));
      if (uid !== undefined) yield uid;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = textOf(last, "job_uid");
  }
}
