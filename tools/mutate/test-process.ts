// Runs tests for a parent process, which sends requests and can end this process if a mutant never ends.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createVitest, type TestSuite, type Vitest } from "vitest/node";
import { batchModules, CONTROL, suiteName } from "./batch-modules.ts";
import type { BatchReply, BatchRequest, TestReply, TestRequest } from "./test-request.ts";

const root = process.cwd();
/** The modules that differ from the working tree, by id. */
let replaced: ReadonlyMap<string, string> = new Map();

const vitest: Vitest = await createVitest(
  {
    root,
    watch: false,
    reporters: [{}],
    silent: true,
    maxWorkers: 1,
    pool: "forks",
    // One process for all test files of a batch, which reset the modules themselves.
    isolate: false,
    // A cache on disk would return the original of a mutant, or keep a mutant for other runs.
    fsModuleCache: false,
  },
  {
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        /** Vite would otherwise search for a file of this name. */
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
  const { modules, hasErrors } = await run([test], 1);
  if (hasErrors || modules.some((module) => module.state() === "failed")) return { outcome: "failed" };
  return { outcome: modules.some((module) => module.state() === "passed") ? "passed" : "skipped" };
}

/** Only if the original passes in the same run, the outcomes show nothing but the changes. */
async function answerBatch(request: BatchRequest): Promise<BatchReply> {
  const { tests } = request;
  const none = { outcomes: tests.map(() => null) };
  const modules = batchModules(request, { root, read: (path) => readFileSync(resolve(root, path), "utf8") });
  if (modules === undefined) return none;
  replace(modules);
  const { modules: tested, hasErrors } = await run(
    tests.map(({ test }) => test),
    0,
  );
  if (hasErrors) return none;
  const outcomes = tests.map(({ test, mutants }) => {
    const suites = tested
      .filter(({ moduleId }) => moduleId === resolve(root, test))
      .flatMap((module) => [...module.children.suites()]);
    if (outcomeOf(suites, CONTROL) !== "passed") return null;
    return mutants.map((place) => outcomeOf(suites, suiteName(place)));
  });
  return { outcomes };
}

function outcomeOf(suites: readonly TestSuite[], name: string): TestReply["outcome"] {
  const suite = suites.find((one) => one.name === name);
  const states = [...(suite?.children.allTests() ?? [])].map((test) => test.result().state);
  if (suite?.state() === "failed" || states.includes("failed")) return "failed";
  return states.includes("passed") ? "passed" : "skipped";
}

function replace(modules: ReadonlyMap<string, string>): void {
  for (const id of [...replaced.keys(), ...modules.keys()]) vitest.invalidateFile(id);
  replaced = modules;
}

async function run(tests: readonly string[], bail: number) {
  const project = vitest.getRootProject();
  vitest.config.bail = bail;
  project.config.bail = bail;
  const paths = tests.map((test) => resolve(root, test));
  const result = await vitest.runTestSpecifications(paths.map((path) => project.createSpecification(path)));
  const modules = result.testModules.filter(({ moduleId }) => paths.includes(moduleId));
  return { modules, hasErrors: result.unhandledErrors.length > 0 };
}
