import { resolve } from "node:path";
import type { BatchRequest } from "./test-request.ts";

/** Reads a file of the project, by its path from the root. */
export type ReadSource = (path: string) => string;

/** The name of the suite of the original, as a control. */
export const CONTROL = "original";

/** The name of the suite of a change, by its place in the request. */
export function suiteName(place: number): string {
  return `mutant ${place}`;
}

/**
 * Modules by id with which one run of test files tests several changes. A test file imports itself once for the
 * original and once for each change, in a suite of its own; each changed file takes its content by the suite that is
 * being collected. `undefined` if a changed file has exports whose names this cannot read.
 */
export function batchModules(
  { tests, mutants }: BatchRequest,
  { root, read }: { readonly root: string; readonly read: ReadSource },
): ReadonlyMap<string, string> | undefined {
  const modules = new Map<string, string>();
  for (const { test, mutants: places } of tests) {
    const path = resolve(root, test);
    modules.set(path, suites(path, places));
    modules.set(`${path}?original`, read(test));
  }
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const path = resolve(root, file);
    const original = read(file);
    const exported = exportedNames(original);
    if (exported === undefined) return undefined;
    const places = mutants.flatMap((mutant, at) => (mutant.file === file ? [at] : []));
    modules.set(path, choice(path, { places, exported }));
    modules.set(`${path}?original`, original);
    for (const place of places) modules.set(`${path}?mutant=${place}`, mutants[place]?.source ?? "");
  }
  return modules;
}

/**
 * A change that breaks the collection of the tests fails its own suite only. After the first failure of a suite, its
 * other tests are skipped: a change that makes every test wait would cost the time limit of each.
 */
function suites(path: string, places: readonly number[]): string {
  const names = Object.fromEntries(places.map((place) => [suiteName(place), place]));
  return `import { beforeEach, describe, it, vi } from "vitest";
for (const [name, place] of Object.entries(${JSON.stringify({ [CONTROL]: -1, ...names })})) {
  describe(name, async () => {
    vi.resetModules();
    globalThis.outliveMutant = place;
    let hasFailed = false;
    beforeEach(({ skip, onTestFailed }) => {
      if (hasFailed) skip();
      onTestFailed(() => void (hasFailed = true));
    });
    try {
      await import(${JSON.stringify(`${path}?original`)});
    } catch (cause) {
      it("is collected", () => {
        throw cause;
      });
    }
  });
}
`;
}

function choice(
  path: string,
  { places, exported }: { readonly places: readonly number[]; readonly exported: readonly string[] },
): string {
  const cases = places.map((place) => `  ${place}: () => import(${JSON.stringify(`${path}?mutant=${place}`)}),`);
  return `const changes = {
${cases.join("\n")}
};
const original = () => import(${JSON.stringify(`${path}?original`)});
export const { ${exported.join(", ")} } = await (changes[globalThis.outliveMutant] ?? original)();
`;
}

const EXPORT = /^export (?!type |interface |declare )(.*)$/gm;
const NAMED = /^(?:async function\*? ?|function\*? ?|abstract class |class |const |let )([\w$]+)/;

/** The names of the values that a module exports; `undefined` if it exports any in another way than by declaration. */
export function exportedNames(source: string): readonly string[] | undefined {
  const names = [...source.matchAll(EXPORT)].map(([, declaration = ""]) => NAMED.exec(declaration)?.[1]);
  return names.every((name) => name !== undefined) ? names : undefined;
}
