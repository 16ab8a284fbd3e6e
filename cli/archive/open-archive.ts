import { existsSync, statSync } from "node:fs";
import { CommandFailure } from "../../src/command-line/command-failure.ts";
import { createFolderObjects } from "../../src/folder/folder-objects.ts";
import type { ObjectStore } from "../../src/ports/object-store.ts";

/** The archive in a folder, which need not exist yet. */
export function openArchive(name: string): ObjectStore {
  if (existsSync(name) && !statSync(name).isDirectory()) {
    throw new CommandFailure(2, `${name} is a file. Name the folder of the archive.`);
  }
  return createFolderObjects(name);
}

/** The archive in a folder to read: a mistyped name must not look like an empty archive. */
export function openExistingArchive(name: string): ObjectStore {
  if (!existsSync(name)) {
    throw new CommandFailure(2, `There is no archive ${name}. Write one with "outlive archive export ${name}".`);
  }
  return openArchive(name);
}
