// Runs tests for a parent process, which sends requests and can end this process if a mutant never ends.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { batchModules, suiteName } from "./batch-modules.ts";
import type { BatchReply, BatchRequest, TestReply, TestRequest } from "./test-request.ts";

const root = process.cwd();
/** The modules that differ from the working tree, by id. */
let replaced: ReadonlyMap<string, string> = new Map();

const vitest: Vitest = await createVitest(
  // A cache on disk would return the original of a mutant, or keep a mutant for other runs.
  { root, watch: false, reporters: [{}], silent: true, bail: 1, maxWorkers: 1, pool: "forks", fsModuleCache: false },
  {
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        /** Vite would look for a file of this name. */
        resolveId: (id) => (replaced.has(id) ? id : undefined),
        /** The working tree is never changed. */
        load: (id) => replaced.get(id),
      },
    ],
  },
);

process.on("message", (request: TestRequest | BatchRequest) => {
  const reply = "mutants" in request ? answerBatch(request) : answer(request);
  void reply.then((sent) => process.send?.(sent));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ outcome: "ready" } satisfies TestReply);

async function answer({ test, mutant }: TestRequest): Promise<TestReply> {
  replace(new Map(mutant === undefined ? [] : [[resolve(root, mutant.file), mutant.source]]));
  const { modules, hasErrors } = await run(test, 1);
  if (hasErrors || modules.some((module) => module.state() === "failed")) return { outcome: "failed" };
  return { outcome: modules.some((module) => module.state() === "passed") ? "passed" : "skipped" };
}

/** Only if the original passes as the first of them, the others were not changed by being tested together. */
async function answerBatch(request: BatchRequest): Promise<BatchReply> {
  const modules = batchModules(request, { root, read: (path) => readFileSync(resolve(root, path), "utf8") });
  if (modules === undefined) return {};
  replace(modules);
  const { modules: tested, hasErrors } = await run(request.test, 0);
  const [control, ...outcomes] = [0, ...request.mutants.keys().map((at) => at + 1)].map((number) =>
    outcomeOf(tested, suiteName(number)),
  );
  return hasErrors || control !== "passed" ? {} : { outcomes };
}

function outcomeOf(modules: readonly TestModule[], name: string): TestReply["outcome"] {
  const suite = modules.flatMap((module) => [...module.children.suites()]).find((one) => one.name === name);
  const states = [...(suite?.children.allTests() ?? [])].map((test) => test.result().state);
  if (suite?.state() === "failed" || states.includes("failed")) return "failed";
  return states.includes("passed") ? "passed" : "skipped";
}

function replace(modules: ReadonlyMap<string, string>): void {
  for (const id of [...replaced.keys(), ...modules.keys()]) vitest.invalidateFile(id);
  replaced = modules;
}

async function run(test: string, bail: number) {
  const path = resolve(root, test);
  vitest.config.bail = bail;
  const project = vitest.getRootProject();
  project.config.bail = bail;
  const result = await vitest.runTestSpecifications([project.createSpecification(path)]);
  const modules = result.testModules.filter(({ moduleId }) => moduleId === path);
  return { modules, hasErrors: result.unhandledErrors.length > 0 };
}
