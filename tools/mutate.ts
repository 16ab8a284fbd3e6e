// Changes one place of a source file at a time, and reports which changes no test notices.
// `npm run mutate -- --folder src/adapters/spool --sample 40 --seed 1`
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { testExemptions } from "./limits/exemptions.ts";
import { EarlierResults } from "./mutate/earlier-results.ts";
import { equivalenceOf } from "./mutate/equivalents.ts";
import { findMutants, type Mutant, mutantKey } from "./mutate/find-mutants.ts";
import { readMutateOptions } from "./mutate/options.ts";
import { importGraph, relatedTests } from "./mutate/related-tests.ts";
import { type FolderResult, formatReport, type MutantResult } from "./mutate/report.ts";
import { sampleOf } from "./mutate/sample.ts";
import { TestRunner } from "./mutate/test-runner.ts";
import { type Candidate, MutantTrial } from "./mutate/try-mutant.ts";

/** Tests that run programs in processes of their own, which do not load the mutant. */
const OTHER_PROCESSES = /^test\/(end-to-end|emulators|web|lib|cli|docs|tools)\/|toolchain/;

/** Cases of upstream's controller specify the rules of Job status together; findings specify what a Job derives to. */
const SPECIFICATIONS = [
  {
    files: "src/explain/derived-job.ts",
    tests: [
      "test/explain/findings/contradicting-status.test.ts",
      "test/explain/findings/completion-lost.test.ts",
      "test/explain/findings/phantom-running.test.ts",
    ],
  },
  { files: "src/job/", tests: ["test/job/conformance-status.test.ts"] },
];

const options = readMutateOptions(process.argv.slice(2));
const paths = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((path) => /^(src|test)\/.*\.ts$/.test(path));
const files = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
const graph = importGraph(files);
const earlier = new EarlierResults(options.results);
const runner = new TestRunner(process.cwd());
const trial = new MutantTrial(runner, {
  now: () => performance.now(),
  limitMillis: options.limitSeconds * 1000,
});

const folders: FolderResult[] = [];
for (const folder of options.folders) folders.push(await mutateFolder(folder));
runner.close();
process.stdout.write(
  `${formatReport(folders)}\nSeed ${options.seed}, at most ${options.tests} test files per mutant.\n`,
);

async function mutateFolder(folder: string): Promise<FolderResult> {
  const sources = [...files].filter(([path]) => path === folder || path.startsWith(`${folder}/`));
  const mutants = sources.flatMap(([path, source]) => findMutants(path, source));
  const sample = sampleOf(mutants, options.sample, options.seed);
  const results: MutantResult[] = [];
  const add = (mutant: Mutant, outcome: MutantResult["outcome"]): void => {
    process.stderr.write(`${outcome} ${mutant.line}:${mutantKey(mutant)}\n`);
    results.push({ mutant, outcome });
  };
  const candidates: Candidate[] = [];
  for (const mutant of sample) {
    const known = equivalenceOf(mutant) === undefined ? earlier.noticed(mutant) : "equivalent";
    if (known === undefined) candidates.push({ mutant, tests: testsOf(mutant) });
    else add(mutant, known);
  }
  await trial.try(candidates, (mutant, { outcome }) => {
    earlier.add(mutant, outcome);
    add(mutant, outcome);
  });
  return { folder, mutants: mutants.length, results };
}

function testsOf(mutant: Mutant): readonly string[] {
  return relatedTests(mutant.file, graph, {
    exemptions: testExemptions,
    specifications: SPECIFICATIONS,
    limit: options.tests,
    isExcluded: (test) => OTHER_PROCESSES.test(test),
  });
}
