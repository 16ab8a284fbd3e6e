/** The database file cannot be used. `message` states the problem and what to do, `cause` is SQLite's error. */
export abstract class DatabaseError extends Error {}

/** Another process held the lock for longer than the busy timeout. */
export class DatabaseLockedError extends DatabaseError {
  override readonly name = "DatabaseLockedError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `Database ${path} is locked by another process. Wait until it is done, or find it with ` +
        `\`fuser ${path}\`, then try again.`,
      options,
    );
  }
}

/** The file is not an SQLite database. */
class NotADatabaseError extends DatabaseError {
  override readonly name = "NotADatabaseError";

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not an SQLite database. Name another file. A missing file is created.`, options);
  }
}

/** The file is an SQLite database of another program. */
export class ForeignDatabaseError extends DatabaseError {
  override readonly name = "ForeignDatabaseError";

  constructor(path: string) {
    super(`${path} is an SQLite database, but not one of Outlive's. Name another file. A missing file is created.`);
  }
}

/** The file is corrupt. */
export class DatabaseDamagedError extends DatabaseError {
  override readonly name = "DatabaseDamagedError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `Database ${path} is damaged. Restore a backup, or recover the readable part with ` +
        `\`sqlite3 ${path} .recover\` into a new file.`,
      options,
    );
  }
}

/** A later release wrote the file. */
export class DatabaseNewerError extends DatabaseError {
  override readonly name = "DatabaseNewerError";

  constructor(path: string, version: number, known: number) {
    super(
      `Database ${path} has schema ${version}. This release of Outlive supports schemas up to ${known}. Update ` +
        "Outlive, or name another file.",
    );
  }
}

/** An earlier release wrote the file, and it cannot be migrated because it may only be read. */
export class DatabaseOlderError extends DatabaseError {
  override readonly name = "DatabaseOlderError";

  constructor(path: string, version: number, known: number) {
    super(
      `Database ${path} has schema ${version} and may only be read. This release of Outlive needs schema ${known}. ` +
        "Copy the file to a folder that you can write to, and name the copy: it is migrated when it is opened.",
    );
  }
}

/** The tables of the file are not those of the schema that it states, so it cannot be migrated. */
export class DatabaseSchemaError extends DatabaseError {
  override readonly name = "DatabaseSchemaError";

  constructor(path: string, version: number, cause: Error) {
    super(
      `Cannot migrate database ${path}: it states schema ${version}, but its tables are of another schema ` +
        `(${cause.message}). Nothing was changed. Restore a backup, or the version that another program overwrote.`,
      { cause },
    );
  }
}

/** The disk is full. Nothing was written. */
export class DatabaseFullError extends DatabaseError {
  override readonly name = "DatabaseFullError";

  constructor(path: string, options?: ErrorOptions) {
    super(`Cannot write to database ${path}: the disk is full. Free some space, then try again.`, options);
  }
}

/** This process cannot open or write the file. */
export class DatabaseUnwritableError extends DatabaseError {
  override readonly name = "DatabaseUnwritableError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `Cannot open database ${path} for writing. Check that its folder exists and that you can write to both, ` +
        "or name another file.",
      options,
    );
  }
}

/** The path is a folder. */
export class DatabaseIsFolderError extends DatabaseError {
  override readonly name = "DatabaseIsFolderError";

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is a folder. Name a file in it, for example ${path.replace(/\/+$/, "")}/outlive.db.`, options);
  }
}

/** The disk failed. */
export class DatabaseDiskError extends DatabaseError {
  override readonly name = "DatabaseDiskError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `I/O error in database ${path}. Check the disk and the system's log. Committed data is not affected.`,
      options,
    );
  }
}

type NamedError = new (path: string, options?: ErrorOptions) => DatabaseError;

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const ERRORS: ReadonlyMap<number, NamedError> = new Map<number, NamedError>([
  [3, DatabaseUnwritableError], // PERM
  [5, DatabaseLockedError], // BUSY
  [6, DatabaseLockedError], // LOCKED
  [8, DatabaseUnwritableError], // READONLY
  [10, DatabaseDiskError], // IOERR
  [11, DatabaseDamagedError], // CORRUPT
  [13, DatabaseFullError], // FULL
  [14, DatabaseUnwritableError], // CANTOPEN
  [23, DatabaseUnwritableError], // AUTH
  [26, NotADatabaseError], // NOTADB
]);

/**
 * Converts SQLite's error to a named one. Other errors, and those that only a bug can cause, are returned unchanged.
 */
export function databaseError(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("errcode" in cause) || typeof cause.errcode !== "number") return cause;
  const Known = ERRORS.get(cause.errcode & 0xff);
  return Known === undefined ? cause : new Known(path, { cause });
}
