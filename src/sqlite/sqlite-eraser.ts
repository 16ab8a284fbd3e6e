import { decodeJobUid } from "../job/model/ids.ts";
import type { Eraser, MetricEraser } from "../ports/erasing/eraser.ts";
import type { ProjectionName } from "../ports/projections.ts";
import { textOf } from "./connection.ts";
import type { Database } from "./database.ts";
import { forgetSubject, relabelSeries } from "./erase-metrics.ts";
import { tablesOf } from "./sqlite-job-store.ts";

/** Jobs per read. */
const PAGE = 1_000;

/** Removes data from a database file. */
export function createSqliteEraser(database: Database): Eraser {
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
    storedJobs: (projection, cluster) => storedJobs(database, projection, cluster),
    removeJob: (projection, { cluster, jobUid }) =>
      database.inTransaction(() =>
        database.write((connection) => {
          const { jobs, pages } = tablesOf(projection);
          connection.run(`DELETE FROM ${jobs} WHERE cluster = ? AND job_uid = ?`, cluster, jobUid);
          connection.run(`DELETE FROM ${pages} WHERE cluster = ? AND job_uid = ?`, cluster, jobUid);
        }),
      ),
    metrics: metricEraser(database),
    purge: () => database.purge(),
  };
}

function metricEraser(database: Database): MetricEraser {
  return {
    subjects: (cluster) =>
      database.read((connection) => {
        const rows = connection.all("SELECT subject FROM metric_subjects WHERE cluster = ?", cluster);
        return rows.map((row) => textOf(row, "subject"));
      }),
    forget: (cluster, id) =>
      database.inTransaction(() => database.write((connection) => forgetSubject(connection, cluster, id))),
    relabel: (change) =>
      database.inTransaction(() => database.write((connection) => relabelSeries(connection, change))),
  };
}

async function* storedJobs(database: Database, projection: ProjectionName, cluster: string) {
  const { jobs } = tablesOf(projection);
  const sql = `SELECT job_uid FROM ${jobs} WHERE cluster = ? AND job_uid > ? ORDER BY job_uid LIMIT ?`;
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
