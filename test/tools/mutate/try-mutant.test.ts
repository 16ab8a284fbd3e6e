import { describe, expect, it } from "vitest";
import type { Mutant } from "../../../tools/mutate/find-mutants.ts";
import type { TestOutcome } from "../../../tools/mutate/test-runner.ts";
import type { BatchReply, BatchRequest, TestRequest } from "../../../tools/mutate/test-request.ts";
import { type Candidate, MutantTrial, type TriedMutant } from "../../../tools/mutate/try-mutant.ts";

type Outcomes = Readonly<Record<string, readonly [plain: TestOutcome, mutated: TestOutcome]>>;

/** Tests take 100 ms. Their outcomes are given by name, without and with a mutant. */
class ScriptedRunner {
  readonly runs: string[] = [];
  readonly limits: number[] = [];
  readonly #outcomes: Outcomes;
  readonly #most: number;
  millis = 0;

  /** @param most how many mutants end in time, if they are run together */
  constructor(outcomes: Outcomes, { most = 100 } = {}) {
    this.#outcomes = outcomes;
    this.#most = most;
  }

  run({ test, mutant }: TestRequest, limitMillis: number): Promise<TestOutcome> {
    this.millis += 100;
    this.runs.push(mutant === undefined ? test : `${test} with ${mutant.file}`);
    this.limits.push(limitMillis);
    const [plain, mutated] = this.#outcomes[test] ?? ["skipped", "skipped"];
    return Promise.resolve(mutant === undefined ? plain : mutated);
  }

  runTogether({ tests, mutants }: BatchRequest, limitMillis: number): Promise<BatchReply["outcomes"] | undefined> {
    const runs = tests.map((one) => `${one.test} with ${one.mutants.map((at) => mutants[at]?.file).join(", ")}`);
    this.runs.push(runs.join("; "));
    this.limits.push(limitMillis);
    if (mutants.length > this.#most) return Promise.resolve(undefined);
    return Promise.resolve(
      tests.map((one) => {
        const [plain, mutated = "skipped"] = this.#outcomes[one.test] ?? [];
        return plain === "passed" && mutated !== "timed out" ? one.mutants.map(() => mutated) : null;
      }),
    );
  }

  async outcomesOf(...tests: readonly (readonly string[])[]): Promise<readonly (TriedMutant | undefined)[]> {
    return this.outcomesOfLines(tests.map((one) => ["f();", one]));
  }

  /** The same for mutants of given lines. */
  async outcomesOfLines(lines: readonly (readonly [code: string, tests: readonly string[]])[]) {
    const candidates = lines.map(([code, tests], at) => ({ mutant: mutantOf(`m${at}`, code), tests }));
    return triedOf(new MutantTrial(this, { now: () => this.millis, limitMillis: 300_000 }), candidates);
  }
}

function mutantOf(file: string, code = "f();"): Mutant {
  return { file, code, source: "mutated" } as Mutant;
}

async function triedOf(trial: MutantTrial, candidates: readonly Candidate[]) {
  const tried = new Map<Mutant, TriedMutant>();
  await trial.try(candidates, (mutant, outcome) => tried.set(mutant, outcome));
  return candidates.map(({ mutant }) => tried.get(mutant));
}

const runTogether = () => Promise.resolve(undefined);

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
    const candidates = [{ mutant: mutantOf("m0"), tests: ["a"] }];
    const trial = new MutantTrial({ run, runTogether }, { now: () => millis, limitMillis: 300_000 });
    expect(await triedOf(trial, candidates)).toEqual([{ outcome: "survived" }]);
    expect(limits).toEqual([240_000, 20_500, 240_000, 65_000]);
  });

  it("measures each test once without mutants", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "failed"] }, { most: 1 });
    await runner.outcomesOf(["a"], ["b", "a"], ["b"]);
    expect(runner.runs.filter((run) => run === "a")).toHaveLength(1);
    expect(runner.runs.filter((run) => run === "b")).toHaveLength(1);
  });
});

describe("a trial of several mutants", () => {
  it("runs the next test of each of them in one process", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "passed"], b: ["passed", "failed"] });
    const killed = { outcome: "killed", test: "b" };
    expect(await runner.outcomesOf(["a", "b"], ["b"], ["a", "b"])).toEqual([killed, killed, killed]);
    expect(runner.runs).toEqual(["a with m0, m2; b with m1", "b with m0, m2"]);
    expect(runner.limits).toEqual([300_000, 300_000]);
  });

  it("runs at most twenty together", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "failed"] });
    await runner.outcomesOf(...Array.from({ length: 22 }, () => ["a"]));
    expect(runner.runs.map((run) => run.split(",").length)).toEqual([20, 2]);
  });

  it("runs each alone after a run that takes too long", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "failed"] }, { most: 1 });
    const killed = { outcome: "killed", test: "a" };
    expect(await runner.outcomesOf(["a"], ["a"], ["a"])).toEqual([killed, killed, killed]);
    expect(runner.runs).toEqual(["a with m0, m1, m2", "a", "a with m0", "a with m1", "a with m2"]);
  });

  it("runs a changed loop alone, because it may never end", async () => {
    const runner = new ScriptedRunner({ a: ["passed", "failed"] });
    const lines = ["for (let at = 0; at < 3; at += 1) f();", "f();", "while (f()) g();", "for (const one of all) f();"];
    await runner.outcomesOfLines(lines.map((code) => [code, ["a"]]));
    expect(runner.runs).toEqual(["a with m1, m3", "a", "a with m0", "a with m2"]);
  });

  it("runs each alone where a test cannot be run with several of them", async () => {
    const runner = new ScriptedRunner({ a: ["failed", "failed"], b: ["passed", "failed"], c: ["passed", "timed out"] });
    expect(await runner.outcomesOf(["a"], ["a", "b"], ["c"], ["b"])).toEqual([
      { outcome: "untested" },
      { outcome: "killed", test: "b" },
      { outcome: "timed out", test: "c" },
      { outcome: "killed", test: "b" },
    ]);
  });
});
