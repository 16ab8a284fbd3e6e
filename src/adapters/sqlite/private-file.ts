import { closeSync, openSync } from "node:fs";

/** Creates an empty file that only its owner can read. SQLite gives the files beside a database the same mode. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (cause) {
    // SQLite reports the reason: a missing folder, or a file that is not writable.
    if (!(cause instanceof Error && "code" in cause)) throw cause;
  }
}
