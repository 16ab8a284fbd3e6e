import { AsyncLocalStorage } from "node:async_hooks";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { Connection } from "./connection.ts";
import {
  DatabaseFullError,
  DatabaseIsFolderError,
  DatabaseLockedError,
  DatabaseNewerError,
  DatabaseOlderError,
  DatabaseSchemaError,
  DatabaseUnwritableError,
  ForeignDatabaseError,
} from "./database-error.ts";
import { CRON_COUNTS_SINCE, moveCronCounts } from "./cron-counts.ts";
import { CHECKSUMS_SINCE, MIGRATIONS } from "./migrations.ts";
import { defineChecksum, fillChecksums, keepChecksums } from "./row-checksums.ts";
import { createPrivately } from "./private-file.ts";

/** How long a process waits for another one's write before it fails. Writes take milliseconds. */
const BUSY_MILLIS = 5000;
/** How long a probe waits for it. */
const PROBE_BUSY_MILLIS = 50;

/** The schema of a file that this release has opened. It migrates all earlier ones. */
export const NEWEST_DATABASE_SCHEMA = MIGRATIONS.length;

/** `PRAGMA application_id` of our files: "OUTL". */
const APPLICATION_ID = 0x4f_55_54_4c;

export interface OpenOptions {
  /** Milliseconds to wait for another process's write. @default 5000 */
  readonly busyMillis?: number;
}

/**
 * Opens the database at `path`, creates it if it is missing, and migrates its schema. `:memory:` is a database in
 * memory. A file that this process may only read can be queried; writes throw. Throws a DatabaseError if the file
 * cannot be used.
 */
export function openDatabase(path: string, { busyMillis = BUSY_MILLIS }: OpenOptions = {}): Database {
  if (isFolder(path)) throw new DatabaseIsFolderError(path);
  if (path !== ":memory:") createPrivately(path);
  try {
    return openWritable(path, busyMillis);
  } catch (error) {
    if (!(error instanceof DatabaseUnwritableError) || !isReadable(path)) throw error;
    return openReadOnly(path, { busyMillis });
  }
}

/**
 * A file in WAL mode needs files beside it that this process may not create. If another process has made them, it may
 * be writing. Otherwise the file is complete, and is read without them.
 */
export function openReadOnly(path: string, { busyMillis = BUSY_MILLIS }: OpenOptions = {}): Database {
  const connection = readOnlyConnection(path, busyMillis);
  try {
    const version = checkedVersion(connection);
    if (version < NEWEST_DATABASE_SCHEMA) throw new DatabaseOlderError(path, version, NEWEST_DATABASE_SCHEMA);
    defineChecksum(connection);
    return new Database(connection, undefined);
  } catch (error) {
    connection.close();
    throw error;
  }
}

function readOnlyConnection(path: string, busyMillis: number): Connection {
  const immutable = !existsSync(`${path}-wal`) && !existsSync(`${path}-shm`);
  return new Connection(path, { busyMillis, readOnly: true, immutable });
}

/**
 * Reads a file of any schema up to the newest, without migrating it. Throws a DatabaseError if it cannot be read or is
 * of a later release.
 */
export async function inspectDatabase<Result>(
  path: string,
  work: (connection: Connection, schema: number) => Result | Promise<Result>,
): Promise<Result> {
  if (isFolder(path)) throw new DatabaseIsFolderError(path);
  const connection = readOnlyConnection(path, BUSY_MILLIS);
  try {
    return await work(connection, checkedVersion(connection));
  } finally {
    connection.close();
  }
}

function openWritable(path: string, busyMillis: number): Database {
  const writer = new Connection(path, { busyMillis, readOnly: false });
  try {
    // FULL flushes the write-ahead log with each commit, so that acknowledged writes survive a power failure.
    writer.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    defineChecksum(writer);
    migrate(writer);
    keepChecksums(writer);
    const reader = path === ":memory:" ? undefined : new Connection(path, { busyMillis, readOnly: true });
    if (reader !== undefined) defineChecksum(reader);
    return new Database(writer, reader);
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** What the running code may ask of its transaction. */
export interface RunningTransaction {
  /** Writes with which the transaction ends, unless it is rolled back. */
  readonly beforeCommit: ((connection: Connection) => void)[];
}

interface Transaction extends RunningTransaction {
  isOpen: boolean;
  /** The error with which SQLite rolled it back. */
  endedBy?: Error;
}

/** An open database. Writes are sequential. Reads of a file run concurrently with them and see committed data. */
export class Database {
  readonly #writer: Connection;
  readonly #reader: Connection | undefined;
  /** The transaction of the running code, also after an `await`. It may have ended. */
  readonly #inside = new AsyncLocalStorage<Transaction>();
  /** Settles when the last queued transaction has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(writer: Connection, reader: Connection | undefined) {
    this.#writer = writer;
    this.#reader = reader;
  }

  get path(): string {
    return this.#writer.path;
  }

  /** The sizes of the file and of its write-ahead log. A database in memory has none. */
  get files(): readonly { readonly file: "database" | "wal"; readonly bytes: number }[] {
    if (this.path === ":memory:") return [];
    return [
      { file: "database", bytes: sizeOf(this.path) },
      { file: "wal", bytes: sizeOf(`${this.path}-wal`) },
    ];
  }

  /** Runs a read statement. Within a transaction it sees that transaction's writes. */
  async read<Result>(work: (connection: Connection) => Result): Promise<Result> {
    if (this.#isInside()) return work(this.#writer);
    return this.#reader === undefined ? this.write(work) : work(this.#reader);
  }

  /**
   * Runs a write statement. It is durable when the promise resolves; within a transaction, when the transaction ends.
   */
  async write<Result>(work: (connection: Connection) => Result): Promise<Result> {
    const transaction = this.#inside.getStore();
    if (transaction?.isOpen === true) return this.#writeWithin(transaction, work);
    if (this.#waiting === 0) return work(this.#writer);
    return this.#queue(async () => work(this.#writer));
  }

  /**
   * Commits all writes of `work` in one durable transaction, or none if it throws. A thousand appends share one flush
   * to disk. Other writes wait, so `work` must wait only for this database.
   */
  async inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isInside()) return work();
    return this.#queue(async () => {
      const transaction: Transaction = { isOpen: true, beforeCommit: [] };
      try {
        return await this.#inside.run(transaction, () => this.#transact(transaction, work));
      } finally {
        transaction.isOpen = false;
      }
    });
  }

  /** The transaction in which the caller runs. */
  get transaction(): RunningTransaction | undefined {
    return this.#isInside() ? this.#inside.getStore() : undefined;
  }

  /**
   * Runs `work` on a connection of its own, which sees one state of the file for as long as it takes. A copy of a file
   * would otherwise begin again with each write. Meanwhile, the write-ahead log grows. A database in memory has only
   * one connection.
   */
  async inSnapshot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    if (this.path === ":memory:") return work(this.#writer);
    const connection = this.#writer.openReader();
    try {
      connection.exec("BEGIN");
      // The transaction begins with its first read.
      connection.get("SELECT 1 FROM sqlite_schema");
      return await work(connection);
    } finally {
      connection.close();
    }
  }

  /**
   * Rewrites the file without deleted data, and empties the write-ahead log. Waits for other processes that read or
   * write. Throws a DatabaseError if one of them does not end in time; a repetition may succeed.
   */
  async purge(): Promise<void> {
    await this.#queue(async () => {
      // VACUUM copies what is stored into new pages. The old ones are overwritten where secure_delete is on.
      this.#writer.exec("PRAGMA secure_delete = ON; VACUUM");
      const checkpointed = this.#writer.get("PRAGMA wal_checkpoint(TRUNCATE)");
      if (Number(checkpointed?.["busy"]) !== 0) throw new DatabaseLockedError(this.path);
    });
  }

  /**
   * Commits a page that has not changed. Throws a DatabaseError if nothing can be written now. Waits for transactions
   * of this process, and hardly for another process: SQLite would keep the whole process waiting.
   */
  async writeNothing(): Promise<void> {
    await this.#queue(async () => {
      const patience = Number(this.#writer.get("PRAGMA busy_timeout")?.["timeout"]);
      this.#writer.exec(`PRAGMA busy_timeout = ${PROBE_BUSY_MILLIS}`);
      try {
        await this.#transact({ isOpen: true, beforeCommit: [] }, async () =>
          this.#writer.exec(`PRAGMA user_version = ${pragma(this.#writer, "user_version")}`),
        );
      } finally {
        this.#writer.exec(`PRAGMA busy_timeout = ${patience}`);
      }
    });
  }

  close(): void {
    this.#reader?.close();
    this.#writer.close();
  }

  #isInside(): boolean {
    return this.#inside.getStore()?.isOpen ?? false;
  }

  /**
   * A full disk ends the transaction, even if SQLite rolls back only the statement. Later writes would be committed
   * without the earlier ones, so they fail, even if `work` handles the first error.
   */
  #writeWithin<Result>(transaction: Transaction, work: (connection: Connection) => Result): Result {
    if (transaction.endedBy !== undefined) throw transaction.endedBy;
    try {
      return work(this.#writer);
    } catch (error) {
      const isEnded = error instanceof DatabaseFullError || !this.#writer.sqlite.isTransaction;
      if (error instanceof Error && isEnded) transaction.endedBy = error;
      throw error;
    }
  }

  async #transact<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
    // IMMEDIATE takes the write lock at once. A transaction that reads first cannot wait for another process's write.
    this.#writer.exec("BEGIN IMMEDIATE");
    try {
      const result = await work();
      for (const write of transaction.beforeCommit) this.#writeWithin(transaction, write);
      if (transaction.endedBy !== undefined) throw transaction.endedBy;
      this.#writer.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite rolls back by itself if the disk is full. A second ROLLBACK would hide its error.
      if (this.#writer.sqlite.isTransaction) this.#writer.exec("ROLLBACK");
      throw error;
    }
  }

  #queue<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const turn = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/**
 * Migrates in one exclusive transaction, so that two processes can open a new file at the same time. A file that is up
 * to date needs no lock.
 */
function migrate(connection: Connection): void {
  if (isCurrent(connection)) return;
  connection.exec("BEGIN IMMEDIATE");
  try {
    migrateFrom(connection, checkedVersion(connection));
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`);
  } catch (error) {
    if (connection.sqlite.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

function migrateFrom(connection: Connection, version: number): void {
  try {
    for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
    if (version < CHECKSUMS_SINCE) fillChecksums(connection);
    if (version < CRON_COUNTS_SINCE) moveCronCounts(connection);
  } catch (error) {
    if (isStatementError(error)) throw new DatabaseSchemaError(connection.path, version, error);
    throw error;
  }
}

/** A statement that does not suit the tables: SQLITE_ERROR. */
function isStatementError(error: unknown): error is Error {
  return error instanceof Error && "errcode" in error && error.errcode === 1;
}

/** The schema's version. Throws for files that this release cannot read. */
function checkedVersion(connection: Connection): number {
  const version = pragma(connection, "user_version");
  if (version > MIGRATIONS.length) throw new DatabaseNewerError(connection.path, version, MIGRATIONS.length);
  if (isForeign(connection, version)) throw new ForeignDatabaseError(connection.path);
  return version;
}

function isCurrent(connection: Connection): boolean {
  return (
    pragma(connection, "application_id") === APPLICATION_ID && pragma(connection, "user_version") === MIGRATIONS.length
  );
}

function isForeign(connection: Connection, version: number): boolean {
  const application = pragma(connection, "application_id");
  if (application === APPLICATION_ID) return false;
  return version > 0 || application !== 0 || connection.get("SELECT 1 FROM sqlite_schema") !== undefined;
}

function pragma(connection: Connection, name: "user_version" | "application_id"): number {
  return Number(connection.get(`PRAGMA ${name}`)?.[name]);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause) return false;
    throw cause;
  }
}

/** 0 for a file that does not exist: the last connection that closes removes the write-ahead log. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
