import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { TestRunner } from "../../../tools/mutate/test-runner.ts";

const runner = new TestRunner(process.cwd());
afterAll(() => runner.close());
const test = "test/tools/limits/long-lines.test.ts";
const file = "tools/limits/long-lines.ts";
const source = readFileSync(file, "utf8");

describe("a runner of tests", { timeout: 120_000 }, () => {
  it("runs a test with the original, with a mutant, and with the original again", async () => {
    const wrong = source.replaceAll("120", "20");
    expect(wrong).not.toBe(source);
    expect(await runner.run({ test }, 60_000)).toBe("passed");
    expect(await runner.run({ test, mutant: { file, source: wrong } }, 60_000)).toBe("failed");
    expect(await runner.run({ test }, 60_000)).toBe("passed");
    expect(readFileSync(file, "utf8")).toBe(source);
  });

  it("ends a test that never ends, and runs the next one", async () => {
    const endless = `${source}\nfor (;;);\n`;
    expect(await runner.run({ test, mutant: { file, source: endless } }, 3_000)).toBe("timed out");
    expect(await runner.run({ test }, 60_000)).toBe("passed");
  });

  it("fails with a mutant that is not valid source", async () => {
    expect(await runner.run({ test, mutant: { file, source: "const = ;" } }, 60_000)).toBe("failed");
  });

  it("runs tests with several mutants in one process, each with its own outcome", async () => {
    const wrong = { file, source: source.replaceAll("120", "20") };
    const broken = { file, source: "const = ;" };
    const mutants = [wrong, { file, source }, broken, { file, source: `${source}\n` }];
    const other = "test/tools/mutate/sample.test.ts";
    const tests = [
      { test, mutants: [0, 1, 2] },
      { test: other, mutants: [0, 3] },
    ];
    expect(await runner.runTogether({ tests, mutants }, 60_000)).toEqual([
      ["failed", "passed", "failed"],
      ["passed", "passed"],
    ]);
    expect(await runner.run({ test }, 60_000)).toBe("passed");
  });

  it("skips the tests of a mutant after the first that fails, because each of them may wait", async () => {
    const once = "  while (calls++ > 0);\n  if (calls > 0) return [path];\n";
    const waiting = `let calls = 0;\n${source.replace("  const lines", `${once}$&`)}`;
    const mutants = [{ file, source: waiting }];
    expect(await runner.runTogether({ tests: [{ test, mutants: [0] }], mutants }, 60_000)).toEqual([["failed"]]);
  });

  it("has no outcomes of several mutants if one of them never ends", async () => {
    const mutants = [
      { file, source },
      { file, source: `${source}\nfor (;;);\n` },
    ];
    expect(await runner.runTogether({ tests: [{ test, mutants: [0, 1] }], mutants }, 3_000)).toBeUndefined();
    expect(await runner.run({ test }, 60_000)).toBe("passed");
  });

  it("has no outcomes of a file in which no test passes with the original", async () => {
    const mutants = [{ file, source }];
    const tests = [
      { test: "tools/limits/long-lines.ts", mutants: [0] },
      { test, mutants: [0] },
    ];
    expect(await runner.runTogether({ tests, mutants }, 60_000)).toEqual([null, ["passed"]]);
  });
});
