import type { Mutant } from "./find-mutants.ts";
import type { TestOutcome } from "./test-runner.ts";
import type { BatchRequest, TestRequest } from "./test-request.ts";

/** What became of a mutant. `untested`: no test that passes without it loads its file. */
export type MutantOutcome = "killed" | "timed out" | "survived" | "untested";

export interface TriedMutant {
  readonly outcome: MutantOutcome;
  /** The test that failed or did not end. */
  readonly test?: string;
}

/** A mutant and the tests that may notice it. */
export interface Candidate {
  readonly mutant: Mutant;
  readonly tests: readonly string[];
}

export interface Runner {
  run(request: TestRequest, limitMillis: number): Promise<TestOutcome>;
  runTogether(request: BatchRequest, limitMillis: number): Promise<readonly TestOutcome[] | undefined>;
}

/** A test that takes five times as long as without the mutant, and 20 s more, does not end. */
const SLOWDOWN = 5;
const SPARE_MILLIS = 20_000;
const BASELINE_LIMIT_MILLIS = 240_000;

/** More mutants in one run save little, and one that never ends costs the run of all. */
const BATCH = 10;

/** Runs mutants against tests that pass without them. */
export class MutantTrial {
  readonly #runner: Runner;
  readonly #now: () => number;
  /** The duration of each test without mutants; `undefined`: it fails or is skipped here. */
  readonly #baseline = new Map<string, Promise<number | undefined>>();

  constructor(runner: Runner, now: () => number) {
    this.#runner = runner;
    this.#now = now;
  }

  /** Tries the mutants test by test: those that one test does not notice are run against the next one of theirs. */
  async try(candidates: readonly Candidate[], onTried: (mutant: Mutant, tried: TriedMutant) => void): Promise<void> {
    const tested = new Set<Mutant>();
    let left = candidates;
    for (let at = 0; left.length > 0; at += 1) {
      const noticed = new Set<Mutant>();
      for (const { test, mutants } of batchesOf(left, at)) {
        for (const [mutant, outcome] of await this.#runAll(test, mutants)) {
          tested.add(mutant);
          if (outcome !== "failed" && outcome !== "timed out") continue;
          noticed.add(mutant);
          onTried(mutant, { outcome: outcome === "failed" ? "killed" : outcome, test });
        }
      }
      left = left.filter(({ mutant }) => !noticed.has(mutant));
      const isDone = ({ tests }: Candidate): boolean => at >= tests.length;
      for (const { mutant } of left.filter(isDone)) {
        onTried(mutant, { outcome: tested.has(mutant) ? "survived" : "untested" });
      }
      left = left.filter((candidate) => !isDone(candidate));
    }
  }

  /** The outcome of a test with each mutant; empty if the test does not pass without them. */
  async #runAll(test: string, mutants: readonly Mutant[]): Promise<ReadonlyMap<Mutant, TestOutcome>> {
    const millis = await this.#duration(test);
    if (millis === undefined) return new Map();
    const together =
      mutants.length === 1
        ? undefined
        : await this.#runner.runTogether({ test, mutants }, limitOf(millis * (mutants.length + 1)));
    const outcomes = new Map<Mutant, TestOutcome>();
    for (const [at, mutant] of mutants.entries()) {
      outcomes.set(mutant, together?.[at] ?? (await this.#run(test, { mutant, millis })));
    }
    return outcomes;
  }

  /**
   * The outcome of a test with one mutant. A test may end too late because the machine is busier than when its duration
   * was measured: only the second time in a row counts.
   */
  async #run(test: string, { mutant, millis }: { mutant: Mutant; millis: number }): Promise<TestOutcome> {
    const outcome = await this.#runner.run({ test, mutant }, limitOf(millis));
    if (outcome !== "timed out") return outcome;
    const again = await this.#measure(test);
    return again === undefined ? outcome : await this.#runner.run({ test, mutant }, limitOf(Math.max(again, millis)));
  }

  #duration(test: string): Promise<number | undefined> {
    const known = this.#baseline.get(test) ?? this.#measure(test);
    this.#baseline.set(test, known);
    return known;
  }

  async #measure(test: string): Promise<number | undefined> {
    const start = this.#now();
    const outcome = await this.#runner.run({ test }, BASELINE_LIMIT_MILLIS);
    return outcome === "passed" ? this.#now() - start : undefined;
  }
}

/** The candidates by their test at a place of their lists, in batches. */
function batchesOf(
  candidates: readonly Candidate[],
  at: number,
): readonly { readonly test: string; readonly mutants: readonly Mutant[] }[] {
  const byTest = new Map<string, Mutant[]>();
  for (const { mutant, tests } of candidates) {
    const test = tests[at];
    if (test !== undefined) byTest.set(test, [...(byTest.get(test) ?? []), mutant]);
  }
  return [...byTest].flatMap(([test, mutants]) =>
    Array.from({ length: Math.ceil(mutants.length / BATCH) }, (_, batch) => ({
      test,
      mutants: mutants.slice(batch * BATCH, (batch + 1) * BATCH),
    })),
  );
}

function limitOf(millis: number): number {
  return millis * SLOWDOWN + SPARE_MILLIS;
}
