import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The files of a folder in base64, by path. */
export function readFolder(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path).toString("base64")]));
}
