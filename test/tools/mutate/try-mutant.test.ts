import { describe, expect, it } from "vitest";
import type { Mutant } from "../../../tools/mutate/find-mutants.ts";
import type { TestOutcome } from "../../../tools/mutate/test-runner.ts";
import type { BatchRequest, TestRequest } from "../../../tools/mutate/test-request.ts";
import { type Candidate, MutantTrial, type TriedMutant } from "../../../tools/mutate/try-mutant.ts";

type Outcomes = Readonly<Record<string, readonly [plain: TestOutcome, mutated: TestOutcome]>>;

/** Tests take 100 ms. Their outcomes are given by name, without and with a mutant. */
class ScriptedRunner {
  readonly runs: string[] = [];
  readonly limits: number[] = [];
  readonly #outcomes: Outcomes;
  readonly #canBatch: boolean;
  millis = 0;

  constructor(outcomes: Outcomes, { canBatch = true } = {}) {
    this.#outcomes = outcomes;
    this.#canBatch = canBatch;
  }

  run({ test, mutant }: TestRequest, limitMillis: number): Promise<TestOutcome> {
    this.millis += 100;
    this.runs.push(mutant === undefined ? test : `${test} with ${mutant.file}`);
    this.limits.push(limitMillis);
    const [plain, mutated] = this.#outcomes[test] ?? ["skipped", "skipped"];
    return Promise.resolve(mutant === undefined ? plain : mutated);
  }

  runTogether({ test, mutants }: BatchRequest, limitMillis: number): Promise<readonly TestOutcome[] | undefined> {
    this.runs.push(`${test} with ${mutants.map(({ file }) => file).join(", ")}`);
    this.limits.push(limitMillis);
    const [, mutated = "skipped"] = this.#outcomes[test] ?? [];
    return Promise.resolve(this.#canBatch ? mutants.map(() => mutated) : undefined);
  }

  async outcomesOf(...tests: readonly (readonly string[])[]): Promise<readonly (TriedMutant | undefined)[]> {
    const candidates = tests.map((one, at) => ({
      mutant: { file: `m${at}`, source: "mutated" } as Mutant,
      tests: one,
    }));
    return triedOf(new MutantTrial(this, () => this.millis), candidates);
  }
}

async function triedOf(trial: MutantTrial, candidates: readonly Candidate[]) {
  const tried = new Map<Mutant, TriedMutant>();
  await trial.try(candidates, (mutant, outcome) => tried.set(mutant, outcome));
  return candidates.map(({ mutant }) => tried.get(mutant));
}

describe("a trial of a mutant", () => {
  it("ends with the first test that fails", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "failed"], c: ["passed", "passed"] });
    expect(await runner.outcomesOf(["a", "b", "c"])).toEqual([{ outcome: "killed", test: "b" }]);
    expect(runner.runs).toEqual(["a", "a with m0", "b", "b with m0"]);
  });

  it("is survived where every test passes", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "skipped"] });
    expect(await runner.outcomesOf(["a", "b"])).toEqual([{ outcome: "survived" }]);
  });

  it.each(["failed", "skipped", "timed out"] as const)("leaves out a test that %s without it", async (plain) => {
    const runner = new ScriptedRunner({ a: [plain, "failed"] });
    expect(await runner.outcomesOf(["a"])).toEqual([{ outcome: "untested" }]);
  });

  it("is untested without a test", async () => {
    expect(await new ScriptedRunner({}).outcomesOf([])).toEqual([{ outcome: "untested" }]);
  });

  it("notices a test that takes more than five times as long and 20 s more", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "timed out"] });
    expect(await runner.outcomesOf(["a"])).toEqual([{ outcome: "timed out", test: "a" }]);
    expect(runner.limits.at(-1)).toBe(20_500);
    expect(runner.runs).toEqual(["a", "a with m0", "a", "a with m0"]);
  });

  it("does not count a test that was late because the machine had become slower", async () => {
    const outcomes: TestOutcome[] = ["passed", "timed out", "passed", "passed"];
    const durations = [100, 20_500, 9_000, 40_000];
    const limits: number[] = [];
    let millis = 0;
    const run = (_: TestRequest, limitMillis: number): Promise<TestOutcome> => {
      limits.push(limitMillis);
      millis += durations.shift() ?? 0;
      return Promise.resolve(outcomes.shift() ?? "skipped");
    };
    const runTogether = () => Promise.resolve(undefined);
    const candidates = [{ mutant: { file: "m0", source: "mutated" } as Mutant, tests: ["a"] }];
    const trial = new MutantTrial({ run, runTogether }, () => millis);
    expect(await triedOf(trial, candidates)).toEqual([{ outcome: "survived" }]);
    expect(limits).toEqual([240_000, 20_500, 240_000, 65_000]);
  });

  it("runs each test once without mutants", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "failed"] });
    await runner.outcomesOf(["a"], ["b", "a"], ["b"]);
    expect(runner.runs.filter((run) => run === "a")).toHaveLength(1);
    expect(runner.runs.filter((run) => run === "b")).toHaveLength(1);
  });
});

describe("a trial of several mutants", () => {
  it("runs those together that have the same next test, with a limit for all of them and the original", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "failed"] });
    const killed = { outcome: "killed", test: "b" };
    expect(await runner.outcomesOf(["a", "b"], ["b"], ["a", "b"])).toEqual([killed, killed, killed]);
    expect(runner.runs).toEqual(["a", "a with m0, m2", "b", "b with m1", "b with m0, m2"]);
    expect(runner.limits[1]).toBe(300 * 5 + 20_000);
  });

  it("runs at most ten together", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "failed"] });
    await runner.outcomesOf(...Array.from({ length: 12 }, () => ["a"]));
    expect(runner.runs.map((run) => run.split(",").length)).toEqual([1, 10, 2]);
  });

  it("runs each alone where they cannot be tested together, or take too long", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "failed"] }, { canBatch: false });
    const killed = { outcome: "killed", test: "a" };
    expect(await runner.outcomesOf(["a"], ["a"])).toEqual([killed, killed]);
    expect(runner.runs).toEqual(["a", "a with m0, m1", "a with m0", "a with m1"]);
  });
});
