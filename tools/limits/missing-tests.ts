import { hasLogic } from "./has-logic.ts";
import type { Problem } from "./problem.ts";

/** Files whose behaviour is specified elsewhere than in a test of the same name. */
export interface TestExemption {
  /**
   * A file, or a folder with a trailing slash, or `folder/*.ts` for a folder's own files, or `folder/**.tsx` to include
   * the files of its subfolders; or several of these.
   */
  readonly files: string | readonly string[];
  /** The tests that specify the behaviour. */
  readonly tests: readonly string[];
  readonly reason: string;
}

export interface SourceTree {
  readonly paths: readonly string[];
  read(path: string): string;
}

/** Files with logic that have neither a test of the same name nor an exemption, and stale exemptions. */
export function missingTests(tree: SourceTree, exemptions: readonly TestExemption[]): readonly Problem[] {
  const present = new Set(tree.paths);
  const untested = tree.paths.filter((path) => isProduct(path) && !present.has(testOf(path)));
  const withLogic = untested.filter((path) => hasLogic(tree.read(path)));
  const missing = withLogic.filter((path) => !exemptions.some(({ files }) => isCovered(path, files)));
  return [
    ...missing.map((path): Problem => ({ limit: "test", path, message: `no test of the same name (${testOf(path)})` })),
    ...exemptions.flatMap((exemption) => staleness(exemption, withLogic, present)),
  ];
}

/** `src/job/model/fact.ts` is specified in `test/job/model/fact.test.ts`, `lib/query.ts` in `test/lib/query.test.ts` */
export function testOf(path: string): string {
  return `test/${path.replace(/^src\//, "").replace(/\.tsx?$/, "")}.test.ts`;
}

function isProduct(path: string): boolean {
  return /^(src|cli|functions|lib|bin|web|bench|tools)\/.*\.tsx?$/.test(path) && !path.endsWith(".d.ts");
}

/** Whether a file is one of these, or in one of these folders. */
export function isCovered(path: string, files: TestExemption["files"]): boolean {
  return [files].flat().some((pattern) => covers(pattern, path));
}

function covers(files: string, path: string): boolean {
  if (files.endsWith("/")) return path.startsWith(files);
  const [start, end] = files.split(/\*+/);
  if (start === undefined || end === undefined) return path === files;
  if (!path.startsWith(start) || !path.endsWith(end)) return false;
  return files.includes("**") || !path.slice(start.length).includes("/");
}

function staleness({ files, tests }: TestExemption, untested: readonly string[], present: ReadonlySet<string>) {
  const patterns = [files].flat();
  const unused = patterns.filter((pattern) => !untested.some((path) => covers(pattern, path)));
  const gone = tests.filter((test) => !present.has(test));
  return [
    ...unused.map((path) => stale(path, "the exemption applies to no file: remove it")),
    ...gone.map((test) => stale(patterns.join(", "), `the exemption names a test that does not exist: ${test}`)),
  ];
}

function stale(path: string, message: string): Problem {
  return { limit: "test", path, message };
}
