import { resolve } from "node:path";
import type { BatchRequest } from "./test-request.ts";

/** Reads a file of the project, by its path from the root. */
export type ReadSource = (path: string) => string;

/** The name of the suite of a change, by its number. Number 0 is the original, as a control. */
export function suiteName(number: number): string {
  return `mutant ${number}`;
}

/**
 * Modules by id with which one run of a test file tests several changes. The test file imports itself once for each
 * change, in a suite of its own; each changed file takes its content by the number of the suite being collected.
 * `undefined` if a changed file has exports whose names this cannot read.
 */
export function batchModules(
  { test, mutants }: BatchRequest,
  { root, read }: { readonly root: string; readonly read: ReadSource },
): ReadonlyMap<string, string> | undefined {
  const testPath = resolve(root, test);
  const modules = new Map([
    [testPath, suites(testPath, mutants.length)],
    [`${testPath}?original`, read(test)],
  ]);
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const path = resolve(root, file);
    const original = read(file);
    const exported = exportedNames(original);
    if (exported === undefined) return undefined;
    const numbers = mutants.flatMap((mutant, at) => (mutant.file === file ? [at + 1] : []));
    modules.set(path, choice(path, { numbers, exported }));
    modules.set(`${path}?mutant=0`, original);
    for (const number of numbers) modules.set(`${path}?mutant=${number}`, mutants[number - 1]?.source ?? "");
  }
  return modules;
}

/** A change that breaks the collection of the tests fails its own suite only. */
function suites(testPath: string, count: number): string {
  return `import { describe, it, vi } from "vitest";
for (let number = 0; number <= ${count}; number += 1) {
  describe(\`${suiteName(0).slice(0, -1)}\${number}\`, async () => {
    vi.resetModules();
    globalThis.outliveMutant = number;
    try {
      await import(${JSON.stringify(`${testPath}?original`)});
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
  { numbers, exported }: { readonly numbers: readonly number[]; readonly exported: readonly string[] },
): string {
  const cases = numbers.map((number) => `  ${number}: () => import(${JSON.stringify(`${path}?mutant=${number}`)}),`);
  return `const changes = {
${cases.join("\n")}
};
const original = () => import(${JSON.stringify(`${path}?mutant=0`)});
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
