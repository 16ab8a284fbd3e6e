import { existsSync } from "node:fs";
import { CommandFailure } from "../command-line/command-failure.ts";

/** Ends the command where a question is asked of a file that is not there: a mistyped name must not make an empty database. */
export function requireDatabase(file: string): void {
  if (file === ":memory:" || existsSync(file)) return;
  throw new CommandFailure(
    2,
    `There is no database ${file}: import a recording with "outlive import --database ${file} RECORDING", name another file with --database, or ask a server with --server.`,
  );
}
