import { mkdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import type { PlannedFile } from "./plan.ts";

export interface Destination {
  readonly folder: string;
  /** Whether existing files are replaced. @default false */
  readonly force?: boolean;
}

/** Writes all files, or none if one of them exists. Throws CommandFailure. Returns their paths. */
export async function writePlan(
  files: readonly PlannedFile[],
  { folder, force = false }: Destination,
): Promise<readonly string[]> {
  const paths = files.map(({ path }) => join(folder, path));
  const existing = paths.filter((path) => existsSync(path));
  if (existing.length > 0 && !force) {
    throw new CommandFailure(
      2,
      `Nothing was written: ${existing.join(", ")} exists. ` +
        "Choose another folder with --to, or replace it with --force.",
    );
  }
  for (const { path, text, isProgram = false } of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: isProgram ? 0o755 : 0o644, flag: force ? "w" : "wx" });
  }
  return paths;
}
