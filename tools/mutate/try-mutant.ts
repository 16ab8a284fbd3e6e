import type { Mutant } from "./find-mutants.ts";
import type { TestOutcome } from "./test-runner.ts";
import type { BatchReply, BatchRequest, TestRequest } from "./test-request.ts";

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
  runTogether(request: BatchRequest, limitMillis: number): Promise<BatchReply["outcomes"] | undefined>;
}

/** A test that takes five times as long as without the mutant, and 20 s more, does not end. */
const SLOWDOWN = 5;
const SPARE_MILLIS = 20_000;
const BASELINE_LIMIT_MILLIS = 240_000;

/** How many mutants are tried in one process. One that never ends costs the run of all: then each is run alone. */
const BATCH = 20;
/** The first line of a loop that counts. A change of it often makes a loop that never ends, so it is run alone. */
const LOOP = /^(?:for \((?!const)|while )/;

type OnTried = (mutant: Mutant, tried: TriedMutant) => void;

export interface TrialOptions {
  readonly now: () => number;
  /** How long one run of several mutants may take. */
  readonly limitMillis: number;
}

/** A mutant and the next of its tests. */
interface Pair {
  readonly mutant: Mutant;
  readonly test: string;
}

/** Runs mutants against tests that pass without them. */
export class MutantTrial {
  readonly #runner: Runner;
  readonly #now: () => number;
  readonly #limitMillis: number;
  /** The duration of each test without mutants; `undefined`: it fails or is skipped here. */
  readonly #baseline = new Map<string, Promise<number | undefined>>();

  constructor(runner: Runner, { now, limitMillis }: TrialOptions) {
    this.#runner = runner;
    this.#now = now;
    this.#limitMillis = limitMillis;
  }

  /** Tries the mutants in their order, some at a time, so that an interrupted run has tried the first of them. */
  async try(candidates: readonly Candidate[], onTried: OnTried): Promise<void> {
    for (let start = 0; start < candidates.length; start += BATCH) {
      await this.#tryBatch(candidates.slice(start, start + BATCH), onTried);
    }
  }

  /** Test by test: those that one test does not notice are run against the next one of theirs. */
  async #tryBatch(candidates: readonly Candidate[], onTried: OnTried): Promise<void> {
    const tested = new Set<Mutant>();
    let left = candidates;
    for (let at = 0; left.length > 0; at += 1) {
      const noticed = new Set<Mutant>();
      const pairs = left.flatMap(({ mutant, tests }) => tests.slice(at, at + 1).map((test) => ({ mutant, test })));
      for (const [{ mutant, test }, outcome] of await this.#runAll(pairs)) {
        tested.add(mutant);
        if (outcome !== "failed" && outcome !== "timed out") continue;
        noticed.add(mutant);
        onTried(mutant, { outcome: outcome === "failed" ? "killed" : outcome, test });
      }
      left = left.filter(({ mutant }) => !noticed.has(mutant));
      const isDone = ({ tests }: Candidate): boolean => at >= tests.length;
      for (const { mutant } of left.filter(isDone)) {
        onTried(mutant, { outcome: tested.has(mutant) ? "survived" : "untested" });
      }
      left = left.filter((candidate) => !isDone(candidate));
    }
  }

  /** The outcomes of the tests that pass without the mutants. */
  async #runAll(pairs: readonly Pair[]): Promise<ReadonlyMap<Pair, TestOutcome>> {
    const ending = pairs.filter(({ mutant }) => !LOOP.test(mutant.code));
    const together = ending.length > 1 ? await this.#runTogether(ending) : undefined;
    const others = pairs.filter((pair) => together?.has(pair) !== true);
    return new Map([...(together ?? []), ...(await this.#runEach(others))]);
  }

  /** The outcomes of one run; without those of tests that cannot be run so. `undefined` if it takes too long. */
  async #runTogether(pairs: readonly Pair[]): Promise<ReadonlyMap<Pair, TestOutcome> | undefined> {
    const byTest = new Map<string, number[]>();
    for (const [at, { test }] of pairs.entries()) byTest.set(test, [...(byTest.get(test) ?? []), at]);
    const tests = [...byTest].map(([test, mutants]) => ({ test, mutants }));
    const request = { mutants: pairs.map(({ mutant: { file, source } }) => ({ file, source })), tests };
    const outcomes = await this.#runner.runTogether(request, this.#limitMillis);
    if (outcomes === undefined) return undefined;
    const found = tests.flatMap(({ mutants }, at) =>
      (outcomes[at] ?? []).map((outcome, place): [Pair | undefined, TestOutcome] => [
        pairs[mutants[place] ?? -1],
        outcome === "ready" ? "passed" : outcome,
      ]),
    );
    return new Map(found.flatMap(([pair, outcome]) => (pair === undefined ? [] : [[pair, outcome]])));
  }

  async #runEach(pairs: readonly Pair[]): Promise<ReadonlyMap<Pair, TestOutcome>> {
    const outcomes = new Map<Pair, TestOutcome>();
    for (const pair of pairs) {
      const outcome = await this.#run(pair);
      if (outcome !== undefined) outcomes.set(pair, outcome);
    }
    return outcomes;
  }

  /**
   * The outcome of a test with one mutant; `undefined` if it does not pass without it. A test may end too late because
   * the machine is busier than when its duration was measured: only the second time in a row counts.
   */
  async #run({ test, mutant }: Pair): Promise<TestOutcome | undefined> {
    const millis = await this.#duration(test);
    if (millis === undefined) return undefined;
    const outcome = await this.#runner.run({ test, mutant }, limitOf(millis));
    if (outcome !== "timed out") return outcome;
    const again = await this.#measure(test);
    return again === undefined ? outcome : this.#runner.run({ test, mutant }, limitOf(Math.max(again, millis)));
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
