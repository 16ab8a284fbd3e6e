import type { Mutant } from "./find-mutants.ts";
import type { TestOutcome } from "./test-runner.ts";
import type { TestRequest } from "./test-request.ts";

/** What became of a mutant. `untested`: no test that passes without it loads its file. */
export type MutantOutcome = "killed" | "timed out" | "survived" | "untested";

export interface TriedMutant {
  readonly outcome: MutantOutcome;
  /** The test that failed or did not end. */
  readonly test?: string;
}

export interface Runner {
  run(request: TestRequest, limitMillis: number): Promise<TestOutcome>;
}

/** A test that takes five times as long as without the mutant, and 20 s more, does not end. */
const SLOWDOWN = 5;
const SPARE_MILLIS = 20_000;
const BASELINE_LIMIT_MILLIS = 240_000;

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

  async try(mutant: Mutant, tests: readonly string[]): Promise<TriedMutant> {
    let isTested = false;
    for (const test of tests) {
      const outcome = await this.#run(test, mutant);
      if (outcome === undefined) continue;
      isTested = true;
      if (outcome === "failed") return { outcome: "killed", test };
      if (outcome === "timed out") return { outcome: "timed out", test };
    }
    return { outcome: isTested ? "survived" : "untested" };
  }

  /**
   * The outcome of a test with the mutant; `undefined` if it does not pass without it. A test may end too late because
   * the machine is busier than when its duration was measured: only the second time in a row counts.
   */
  async #run(test: string, mutant: Mutant): Promise<TestOutcome | undefined> {
    const millis = await this.#duration(test);
    if (millis === undefined) return undefined;
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

function limitOf(millis: number): number {
  return millis * SLOWDOWN + SPARE_MILLIS;
}
