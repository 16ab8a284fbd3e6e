import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../src/adapters/sqlite/database.ts";

/** A folder for database files and the databases opened in it, until `clear`. */
export class ScratchDatabases {
  readonly folder = mkdtempSync(join(tmpdir(), "outlive-sqlite-"));
  readonly #open: Database[] = [];
  #count = 0;

  newPath(): string {
    this.#count += 1;
    return join(this.folder, `${this.#count}.db`);
  }

  /** A file that is no database. */
  fileOf(text: string): string {
    const path = this.newPath();
    writeFileSync(path, text);
    return path;
  }

  open(path: string, options: Parameters<typeof openDatabase>[1] = {}): Database {
    const database = openDatabase(path, options);
    this.#open.push(database);
    return database;
  }

  closeAll(): void {
    for (const database of this.#open.splice(0)) database.close();
  }

  clear(): void {
    this.closeAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
