import { basename, dirname } from "node:path";
import type { Problem } from "./problem.ts";

const MAX_FILES = 25;

/** The folders with more than 25 files of their own. Subfolders and a README.md do not count as files. */
export function crowdedFolders(paths: readonly string[]): readonly Problem[] {
  const folders = Map.groupBy(
    paths.filter((path) => basename(path) !== "README.md"),
    (path) => dirname(path),
  );
  return [...folders].flatMap(([path, { length }]) =>
    length > MAX_FILES ? [{ limit: "folder", path, message: `${length} files, at most ${MAX_FILES}` }] : [],
  );
}
