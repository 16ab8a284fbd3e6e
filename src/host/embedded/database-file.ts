import { existsSync } from "node:fs";
import { CommandFailure } from "../command-line/command-failure.ts";

/** Throws CommandFailure where a database to read does not exist: a mistyped name must not create an empty one. */
export function requireDatabase(file: string): void {
  if (file === ":memory:" || existsSync(file)) return;
  throw new CommandFailure(
    2,
    `There is no database ${file}. Import a recording with "outlive import --database ${file} RECORDING", ` +
      "set --database to another file, or set --server to use a server.",
  );
}
