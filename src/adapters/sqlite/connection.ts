import { pathToFileURL } from "node:url";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { databaseError } from "./database-error.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface ConnectionOptions {
  readonly busyMillis: number;
  readonly readOnly: boolean;
  /** Nothing changes the file while it is open: SQLite needs no lock and no file beside it. @default false */
  readonly immutable?: boolean;
}

/** A connection to the database file. It prepares each statement once, and converts SQLite's errors to named ones. */
export class Connection {
  readonly path: string;
  readonly #options: ConnectionOptions;
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: ConnectionOptions) {
    const { busyMillis, readOnly, immutable = false } = options;
    this.path = path;
    this.#options = options;
    const file = immutable ? new URL("?immutable=1", pathToFileURL(path)) : path;
    this.#sqlite = this.#named(() => new DatabaseSync(file, { timeout: busyMillis, readOnly }));
  }

  /** Node's connection, for functions that this class lacks. */
  get sqlite(): DatabaseSync {
    return this.#sqlite;
  }

  /** Another connection to the file, which only reads. */
  openReader(): Connection {
    return new Connection(this.path, { ...this.#options, readOnly: true });
  }

  /** Runs statements without a result. */
  exec(sql: string): void {
    this.#named(() => this.#sqlite.exec(sql));
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly SQLInputValue[]): number {
    return this.#named(() => Number(this.#prepare(sql).run(...values).changes));
  }

  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#named(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#named(() => this.#prepare(sql).all(...values));
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #named<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      throw databaseError(this.path, cause);
    }
  }
}

/** A text column of a row that Outlive wrote. */
export function textOf(row: Row, column: string): string {
  return String(row[column]);
}

export function numberOf(row: Row, column: string): number {
  return Number(row[column]);
}

export function bytesOf(row: Row, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : new Uint8Array();
}
