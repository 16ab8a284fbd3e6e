import type { Amount, Series } from "../../ports/metric-store.ts";
import type { MetricTables, SummedSeries } from "../../ports/sums/metric-tables.ts";
import { type Connection, numberOf, type Row, textOf } from "./connection.ts";
import type { Database, RunningTransaction } from "./database.ts";
import { DatabaseError } from "./database-error.ts";
import { amountKey, amountsText, parseAmounts, partOf, seriesOf } from "./metric-amounts.ts";
import {
  addNumber,
  addSeries,
  findSeries,
  idOfSeries,
  readSeries,
  removeSeries,
  SOUND_NUMBER,
  writeSeries,
  writeShown,
} from "./metric-series.ts";
import { isSound } from "./row-checksums.ts";

/** Metrics in tables `metric_series`, `metric_values` and `metric_subjects`. */
export function createSqliteMetricTables(database: Database): MetricTables {
  const known: KnownSeries = new Map();
  return {
    ...readingSubjects(database, known),
    ...writingSubjects(database, known),
    ...seriesIn(database),
    inTransaction: (work) => database.inTransaction(work),
    isBehind: () =>
      database.read((connection) => connection.get("SELECT 1 AS one FROM metric_backlog LIMIT 1") !== undefined),
    caughtUp: () => database.write((connection) => void connection.run("DELETE FROM metric_backlog")),
  };
}

/** Series by their ids, as this process has read or written them. */
type KnownSeries = Map<number, Series>;

function readingSubjects(
  database: Database,
  known: KnownSeries,
): Pick<MetricTables, "amountsOf" | "contributions" | "subjects"> {
  const amountsIn = (connection: Connection, row: Row): readonly Amount[] =>
    [...parseAmounts(textOf(row, "amounts"))].flatMap(([key, amount]) => {
      const id = seriesOf(key);
      const series = known.get(id) ?? findSeries(connection, id);
      if (series === undefined) return [];
      known.set(id, series);
      return [{ series, part: partOf(key), amount }];
    });
  return {
    amountsOf: ({ cluster, id }) =>
      database.read((connection) => {
        const row = connection.get(READ_SUBJECT, cluster, id);
        return row === undefined ? [] : amountsIn(connection, row);
      }),
    contributions: async function* () {
      let page = await database.read((connection) => connection.all(NEXT_SUBJECTS, "", "", PAGE));
      for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
        const [rows, cluster, subject] = [page, textOf(last, "cluster"), textOf(last, "subject")];
        yield* await database.read((connection) => rows.map((row) => amountsIn(connection, row)));
        page = await database.read((connection) => connection.all(NEXT_SUBJECTS, cluster, subject, PAGE));
      }
    },
    subjects: (cluster) =>
      database.read((connection) => {
        const rows = connection.all("SELECT subject FROM metric_subjects WHERE cluster = ?", cluster);
        return rows.map((row) => textOf(row, "subject"));
      }),
  };
}

function writingSubjects(database: Database, known: KnownSeries): Pick<MetricTables, "writeAmounts" | "removeSubject"> {
  return {
    writeAmounts: ({ cluster, id }, amounts, at) =>
      database.write((connection) => {
        const text = amountsText(
          amounts.map(({ series, part, amount }) => [amountKey(idOfSeries(series), part), amount]),
        );
        connection.run(WRITE_SUBJECT, cluster, id, at, text);
        for (const { series } of amounts) known.set(idOfSeries(series), series);
      }),
    removeSubject: ({ cluster, id }) =>
      database.write((connection) => {
        connection.run("DELETE FROM metric_subjects WHERE cluster = ? AND subject = ?", cluster, id);
      }),
  };
}

function seriesIn(database: Database): Pick<MetricTables, "lookUp" | "add" | "series" | "replaceSeries" | "raise"> {
  const sums = new GatheredSums(database);
  return {
    lookUp: (series) =>
      database.read((connection) => ({
        stored: series.filter((one) => findSeries(connection, idOfSeries(one)) !== undefined),
        count: countSeries(connection),
      })),
    add: (added) => sums.add(added),
    series: () =>
      database.read((connection) => {
        sums.settle(connection);
        return readSeries(connection);
      }),
    replaceSeries: ({ removed, written }) =>
      database.write((connection) => {
        sums.settle(connection);
        for (const series of removed) removeSeries(connection, series);
        for (const stored of written) writeSeries(connection, stored);
      }),
    raise: (raised) =>
      unlessLocked(() =>
        database.inTransaction(() =>
          database.write((connection) => {
            sums.settle(connection);
            writeShown(connection, raised(readSeries(connection)));
          }),
        ),
      ),
  };
}

const READ_SUBJECT = "SELECT amounts FROM metric_subjects WHERE cluster = ? AND subject = ?";
const NEXT_SUBJECTS = `SELECT cluster, subject, amounts FROM metric_subjects WHERE (cluster, subject) > (?, ?)
  ORDER BY cluster, subject LIMIT ?`;
/** Subjects that are read together. */
const PAGE = 1_000;
const WRITE_SUBJECT = `INSERT INTO metric_subjects (cluster, subject, at, amounts) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET at = excluded.at, amounts = excluded.amounts
  WHERE ${isSound(...["cluster", "subject", "at", "amounts"].map((column) => `metric_subjects.${column}`))}`;

function countSeries(connection: Connection): number {
  const row = connection.get("SELECT count(*) AS known FROM metric_series");
  return row === undefined ? 0 : numberOf(row, "known");
}

/** A counter and a gauge add up. The latest instant is the highest amount, which is never taken back. */
const CHANGES: Readonly<Record<Series["kind"], string>> = {
  gauge: `UPDATE metric_values SET value = value + ? WHERE series = ? AND part = ? AND ${SOUND_NUMBER}`,
  counter: `UPDATE metric_values SET value = value + ? WHERE series = ? AND part = ? AND ${SOUND_NUMBER}`,
  latest: `UPDATE metric_values SET value = max(value, ?) WHERE series = ? AND part = ? AND ${SOUND_NUMBER}`,
};

/** What a transaction adds to the numbers of each series, by its id. */
type Gathered = Map<number, { readonly series: Series; readonly parts: Map<number, number> }>;

/** Adds up what a transaction adds to each number: a thousand Jobs that were written together change few numbers. */
class GatheredSums {
  readonly #database: Database;
  readonly #ofTransactions = new WeakMap<RunningTransaction, Gathered>();

  constructor(database: Database) {
    this.#database = database;
  }

  async add(added: SummedSeries): Promise<void> {
    const { transaction } = this.#database;
    if (transaction === undefined) await this.#database.write((connection) => addTo(connection, added));
    else gather(this.#gatheredIn(transaction), added);
  }

  /** Call it before numbers are read or replaced. */
  settle(connection: Connection): void {
    const { transaction } = this.#database;
    const gathered = transaction && this.#ofTransactions.get(transaction);
    if (gathered !== undefined) writeGathered(connection, gathered);
  }

  #gatheredIn(transaction: RunningTransaction): Gathered {
    const known = this.#ofTransactions.get(transaction);
    if (known !== undefined) return known;
    const gathered: Gathered = new Map();
    this.#ofTransactions.set(transaction, gathered);
    transaction.beforeCommit.push((connection) => writeGathered(connection, gathered));
    return gathered;
  }
}

function gather(gathered: Gathered, { series, parts }: SummedSeries): void {
  const id = idOfSeries(series);
  const own = gathered.get(id) ?? { series, parts: new Map<number, number>() };
  gathered.set(id, own);
  for (const [part, by] of parts) {
    const before = own.parts.get(part);
    const both = series.kind === "latest" ? Math.max(before ?? by, by) : (before ?? 0) + by;
    own.parts.set(part, both);
  }
}

function writeGathered(connection: Connection, gathered: Gathered): void {
  for (const added of gathered.values()) addTo(connection, added);
  gathered.clear();
}

/** The id follows from the labels, so that it is right even after a transaction was rolled back. */
function addTo(connection: Connection, { series, parts }: SummedSeries): void {
  const id = idOfSeries(series);
  for (const [part, by] of parts) {
    if (connection.run(CHANGES[series.kind], by, id, part) > 0) continue;
    addSeries(connection, series);
    addNumber(connection, { id, part, sum: by, shown: series.kind === "counter" ? 0 : null });
  }
}

async function unlessLocked(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return false;
  }
}
