import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What is beside the code of a function. */
export interface BesideBundle {
  /** A folder to copy, relative to the root. It is skipped if it was not built; the function reports it. */
  readonly folder?: string | undefined;
  /** Files to write: their content by name. */
  readonly files?: Readonly<Record<string, string>> | undefined;
}

/** Writes what is beside the code of a function in `to`. */
export function writeBeside(root: string, to: string, { folder, files = {} }: BesideBundle): void {
  if (folder !== undefined && existsSync(join(root, folder))) {
    cpSync(join(root, folder), join(to, folder), { recursive: true });
  }
  for (const [file, content] of Object.entries(files)) writeFileSync(join(to, file), content);
}
