import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { crowdedFolders } from "./limits/crowded-folders.ts";
import { testExemptions } from "./limits/exemptions.ts";
import { folderCycles } from "./limits/folder-cycles.ts";
import { longLines } from "./limits/long-lines.ts";
import { missingTests } from "./limits/missing-tests.ts";
import { readOptions } from "./limits/options.ts";
import { type Problem, problemLine } from "./limits/problem.ts";

/** Sources and prose that people wrote. Data, lock files, recordings and generated files (*.golden.md) are exempt. */
const WRITTEN = /\.(ts|tsx|js|cjs|mjs|css|md|py|sh|java|yaml)$/;
/** Stored bytes (a compression dictionary, records as they are stored), and inline snapshots. */
const WIDE_DATA = new Set([
  "client/openapi.d.ts",
  "src/projection/job-state/summary-dictionary-v1.ts",
  "test/lib/outlive-stack.test.ts",
  "test/lib/roles.test.ts",
  "test/ports/records/stored-records.ts",
]);
/** Screenshots are not edited. Decision records are a numbered sequence, with an index in its README.md. */
const UNLIMITED_FOLDERS = new Set(["docs/screenshots", "docs/decisions"]);

const { limits, path: start } = readOptions(process.argv.slice(2));
const paths = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => path !== "" && existsSync(path));
const read = (path: string): string => readFileSync(path, "utf8");

const problems: readonly Problem[] = [
  ...paths.filter(isWritten).flatMap((path) => longLines(path, read(path))),
  ...crowdedFolders(paths).filter(({ path }) => !UNLIMITED_FOLDERS.has(path)),
  ...folderCycles({ paths, read }),
  ...missingTests({ paths, read }, testExemptions),
].filter(({ limit, path }) => limits.has(limit) && path.startsWith(start));

function isWritten(path: string): boolean {
  return WRITTEN.test(path) && !WIDE_DATA.has(path) && !path.endsWith(".golden.md");
}

for (const problem of problems) process.stdout.write(`${problemLine(problem)}\n`);
if (problems.length > 0) {
  process.stdout.write(`${problems.length} problems\n`);
  process.exitCode = 1;
}
