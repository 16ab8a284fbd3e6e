import type { MetricStore, MetricSubject, Contribution } from "../ports/metric-store.ts";
import { type Connection, textOf } from "./connection.ts";
import type { Database } from "./database.ts";
import { DatabaseError } from "./database-error.ts";
import { readSeries, SeriesIds } from "./metric-series.ts";
import { amountsText, addAmounts, changesBetween, parseAmounts, remaining } from "./metric-amounts.ts";

/** Metrics in tables `metric_series`, `metric_values` and `metric_subjects`. */
export function createSqliteMetricStore(database: Database, options: { readonly maxSeries: number }): MetricStore {
  const series = new SeriesIds(options.maxSeries);
  return {
    contribute: (subject, contribution) => contribute(database, subject, { contribution, series }),
    show: async () => {
      await raiseShown(database);
      return database.read(readSeries);
    },
    isBehind: () =>
      database.read((connection) => connection.get("SELECT 1 AS one FROM metric_backlog LIMIT 1") !== undefined),
    caughtUp: () => database.write((connection) => void connection.run("DELETE FROM metric_backlog")),
  };
}

interface Contributing {
  readonly contribution: Contribution;
  readonly series: SeriesIds;
}

async function contribute(
  database: Database,
  subject: MetricSubject,
  { contribution, series }: Contributing,
): Promise<void> {
  const { amounts, keep = [], at } = contribution;
  const own = await database.read((connection) =>
    addAmounts(amounts.map((amount) => series.stored(connection, amount))),
  );
  const after = (before: string) => amountsText(new Map([...remaining(parseAmounts(before), keep), ...own]));
  const stored = await database.read((connection) => readAmounts(connection, subject));
  // Most derivations of a Job do not change its contribution, and then need no lock.
  if (after(stored) === stored) return;
  await database.inTransaction(() =>
    database.write((connection) => {
      const before = readAmounts(connection, subject);
      const text = after(before);
      for (const [key, changed] of changesBetween(parseAmounts(before), parseAmounts(text))) {
        series.change(connection, key, changed);
      }
      connection.run(WRITE_SUBJECT, subject.cluster, subject.id, at, text);
    }),
  );
}

const WRITE_SUBJECT = `INSERT INTO metric_subjects (cluster, subject, at, amounts) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET at = excluded.at, amounts = excluded.amounts`;

function readAmounts(connection: Connection, { cluster, id }: MetricSubject): string {
  const row = connection.get("SELECT amounts FROM metric_subjects WHERE cluster = ? AND subject = ?", cluster, id);
  return row === undefined ? "" : textOf(row, "amounts");
}

/**
 * Raises the shown number of each counter to its sum before it is shown. If another process keeps the database locked,
 * counters are shown as before: late, but never falling.
 */
async function raiseShown(database: Database): Promise<void> {
  const raised = "shown < value";
  const isRaised = await database.read(
    (connection) => connection.get(`SELECT 1 AS one FROM metric_values WHERE ${raised} LIMIT 1`) !== undefined,
  );
  if (!isRaised) return;
  try {
    await database.write((connection) => connection.run(`UPDATE metric_values SET shown = value WHERE ${raised}`));
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
  }
}
