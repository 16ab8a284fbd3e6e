import { describe, expect, it } from "vitest";
import type { Mutant } from "../../../tools/mutate/find-mutants.ts";
import type { TestOutcome } from "../../../tools/mutate/test-runner.ts";
import type { TestRequest } from "../../../tools/mutate/test-request.ts";
import { MutantTrial } from "../../../tools/mutate/try-mutant.ts";

const mutant = { file: "src/a.ts", source: "mutated" } as Mutant;

/** Tests take 100 ms. Their outcomes are given by name, without and with the mutant. */
class ScriptedRunner {
  readonly runs: string[] = [];
  readonly limits: number[] = [];
  readonly #outcomes: Readonly<Record<string, readonly [plain: TestOutcome, mutated: TestOutcome]>>;
  millis = 0;

  constructor(outcomes: Readonly<Record<string, readonly [plain: TestOutcome, mutated: TestOutcome]>>) {
    this.#outcomes = outcomes;
  }

  async run({ test, mutant }: TestRequest, limitMillis: number): Promise<TestOutcome> {
    this.millis += 100;
    this.runs.push(mutant === undefined ? test : `${test} with mutant`);
    this.limits.push(limitMillis);
    const [plain, mutated] = this.#outcomes[test] ?? ["skipped", "skipped"];
    return mutant === undefined ? plain : mutated;
  }

  trial(): MutantTrial {
    return new MutantTrial(this, () => this.millis);
  }
}

describe("a trial of a mutant", () => {
  it("ends with the first test that fails", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "failed"], c: ["passed", "passed"] });
    expect(await runner.trial().try(mutant, ["a", "b", "c"])).toEqual({ outcome: "killed", test: "b" });
    expect(runner.runs).toEqual(["a", "a with mutant", "b", "b with mutant"]);
  });

  it("is survived where every test passes", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "skipped"] });
    expect(await runner.trial().try(mutant, ["a", "b"])).toEqual({ outcome: "survived" });
  });

  it.each(["failed", "skipped", "timed out"] as const)("leaves out a test that %s without it", async (plain) => {
    const runner = new ScriptedRunner({ a: [plain, "failed"] });
    expect(await runner.trial().try(mutant, ["a"])).toEqual({ outcome: "untested" });
  });

  it("notices a test that takes more than five times as long and 20 s more", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "timed out"] });
    expect(await runner.trial().try(mutant, ["a"])).toEqual({ outcome: "timed out", test: "a" });
    expect(runner.limits.at(-1)).toBe(20_500);
    expect(runner.runs).toEqual(["a", "a with mutant", "a", "a with mutant"]);
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
    expect(await new MutantTrial({ run }, () => millis).try(mutant, ["a"])).toEqual({ outcome: "survived" });
    expect(limits).toEqual([240_000, 20_500, 240_000, 65_000]);
  });

  it("runs each test once without mutants", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "failed"] });
    const trial = runner.trial();
    await trial.try(mutant, ["a"]);
    await trial.try(mutant, ["a"]);
    expect(runner.runs).toEqual(["a", "a with mutant", "a with mutant"]);
  });
});
