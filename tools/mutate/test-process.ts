// Runs tests for a parent process, which sends requests and can end this process if a mutant never ends.
import { resolve } from "node:path";
import { createVitest, type Vitest } from "vitest/node";
import type { TestReply, TestRequest } from "./test-request.ts";

const root = process.cwd();
let mutated: { readonly file: string; readonly source: string } | undefined;

const vitest: Vitest = await createVitest(
  // A cache on disk would return the original of a mutant, or keep a mutant for other runs.
  { root, watch: false, reporters: [{}], silent: true, bail: 1, maxWorkers: 1, pool: "forks", fsModuleCache: false },
  {
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        /** The working tree is never changed. */
        load: (id) => (mutated !== undefined && id === resolve(root, mutated.file) ? mutated.source : undefined),
      },
    ],
  },
);

process.on("message", (request: TestRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ outcome: "ready" } satisfies TestReply);

async function answer({ test, mutant }: TestRequest): Promise<TestReply> {
  if (mutated !== undefined) vitest.invalidateFile(resolve(root, mutated.file));
  mutated = mutant;
  if (mutated !== undefined) vitest.invalidateFile(resolve(root, mutated.file));
  const path = resolve(root, test);
  const run = await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(path)]);
  const modules = run.testModules.filter(({ moduleId }) => moduleId === path);
  if (run.unhandledErrors.length > 0 || modules.some((module) => module.state() === "failed")) {
    return { outcome: "failed" };
  }
  return { outcome: modules.some((module) => module.state() === "passed") ? "passed" : "skipped" };
}
