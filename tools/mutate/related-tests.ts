import { posix } from "node:path";
import { isCovered, type TestExemption, testOf } from "../limits/missing-tests.ts";

/** Which tests import a file, and through how many files. */
export interface ImportGraph {
  /** Tests by the number of imports between them and the file: 1 for a direct import. */
  testsOf(file: string): ReadonlyMap<string, number>;
}

const IMPORT = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

export function importGraph(files: ReadonlyMap<string, string>): ImportGraph {
  const importers = new Map<string, string[]>();
  for (const [path, source] of files) {
    for (const imported of importsOf(path, source)) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  }
  return { testsOf: (file) => testsAbove(file, importers) };
}

function importsOf(path: string, source: string): ReadonlySet<string> {
  const relative = [...source.matchAll(IMPORT)].flatMap(([, target]) => target ?? []);
  return new Set(relative.map((target) => posix.join(posix.dirname(path), target)));
}

function testsAbove(file: string, importers: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]]);
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return new Map([...distances].filter(([path]) => path.endsWith(".test.ts")));
}

/**
 * The tests of a file: the one of the same name, those that its exemption from such a test names, then the nearest by
 * imports, up to `limit` of these; then those that specify its whole folder.
 */
export function relatedTests(file: string, graph: ImportGraph, options: RelatedTestsOptions): readonly string[] {
  const { exemptions, limit, isExcluded } = options;
  const distances = graph.testsOf(file);
  const named = [
    testOf(file),
    ...exemptions.filter(({ files }) => isCovered(file, files)).flatMap(({ tests }) => tests),
  ];
  const folder = posix.dirname(testOf(file));
  const nearest = [...distances.keys()].sort(
    (a, b) =>
      (distances.get(a) ?? 0) - (distances.get(b) ?? 0) ||
      Number(posix.dirname(b) === folder) - Number(posix.dirname(a) === folder) ||
      a.localeCompare(b),
  );
  const tests = [...named.filter((test) => distances.has(test)), ...nearest].filter((test) => !isExcluded(test));
  const whole = options.specifications.filter((one) => isCovered(file, one.files)).flatMap((one) => one.tests);
  return [...new Set([...[...new Set(tests)].slice(0, limit), ...whole.filter((test) => distances.has(test))])];
}

export interface RelatedTestsOptions {
  readonly exemptions: readonly TestExemption[];
  /** Tests that specify whole folders. They are the last ones, beyond the limit. */
  readonly specifications: readonly Pick<TestExemption, "files" | "tests">[];
  readonly limit: number;
  readonly isExcluded: (test: string) => boolean;
}
