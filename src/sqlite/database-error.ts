/** The database file cannot be used as it is: `message` says what is wrong and what to do, `cause` what SQLite said. */
export abstract class DatabaseError extends Error {}

/** Another process held the lock for longer than the busy timeout. */
class DatabaseLockedError extends DatabaseError {
  override readonly name = "DatabaseLockedError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `Database ${path} is locked by another process. Wait until it is done, or find it with \`fuser ${path}\`, then try again.`,
      options,
    );
  }
}

/** The file is not an SQLite database. */
class NotADatabaseError extends DatabaseError {
  override readonly name = "NotADatabaseError";

  constructor(path: string, options?: ErrorOptions) {
    super(`${path} is not an SQLite database. Name another file; one that does not exist yet is created.`, options);
  }
}

/** The file is an SQLite database of something else. */
export class ForeignDatabaseError extends DatabaseError {
  override readonly name = "ForeignDatabaseError";

  constructor(path: string) {
    super(
      `${path} is an SQLite database, but not one of Outlive's. Name another file; one that does not exist yet is created.`,
    );
  }
}

/** The file contradicts itself. */
export class DatabaseDamagedError extends DatabaseError {
  override readonly name = "DatabaseDamagedError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `Database ${path} is damaged. Put back a backup, or save what can be read with \`sqlite3 ${path} .recover\` into a new file.`,
      options,
    );
  }
}

/** A later release wrote the file. */
export class DatabaseNewerError extends DatabaseError {
  override readonly name = "DatabaseNewerError";

  constructor(path: string, version: number, known: number) {
    super(
      `Database ${path} has schema ${version}; this build of Outlive knows up to ${known}. Update Outlive, or name another file.`,
    );
  }
}

/** There is no room for what was to be written. Nothing of it was. */
class DatabaseFullError extends DatabaseError {
  override readonly name = "DatabaseFullError";

  constructor(path: string, options?: ErrorOptions) {
    super(`There is no room left to write to database ${path}. Free space on its disk, then try again.`, options);
  }
}

/** The file cannot be opened or written by this process. */
class DatabaseUnwritableError extends DatabaseError {
  override readonly name = "DatabaseUnwritableError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `Database ${path} cannot be opened for writing. Check that its folder exists and that you may write to both, or name another file.`,
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
class DatabaseDiskError extends DatabaseError {
  override readonly name = "DatabaseDiskError";

  constructor(path: string, options?: ErrorOptions) {
    super(
      `The disk failed while database ${path} was used. Look into the system's log; what was committed before is kept.`,
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

/** What `cause` means for the database at `path`; `cause` itself where SQLite has not thrown it, or it is a mistake of ours. */
export function databaseError(path: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !("errcode" in cause) || typeof cause.errcode !== "number") return cause;
  const Known = ERRORS.get(cause.errcode & 0xff);
  return Known === undefined ? cause : new Known(path, { cause });
}
